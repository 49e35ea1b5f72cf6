import type { Advisor, Settings, ToolAdvisor } from '../../contract/index.ts';
import { makeAdvisor } from './advisor.ts';
import { type CodexModelOptions, codexModel } from './codex.ts';
import type { Model } from './model.ts';
import { modelNameOf } from './name.ts';
import { providerModel } from './provider.ts';
import { makeToolAdvisor } from './tool-advisor.ts';

export interface AdvisorSite extends CodexModelOptions {
  readonly confidenceMin: number;
}

/** The same model, as it answers an agent's questions. */
export function openToolAdvisor(
  { model: written, baseUrl, timeoutMs }: Settings['advice'],
  site: CodexModelOptions,
): ToolAdvisor | undefined {
  const model = openModel(written, { ...site, baseUrl });
  return model === undefined ? undefined : makeToolAdvisor({ model, timeoutMs });
}

/** The advisor a person configured, or undefined when they named no model. Loads and asks nothing yet. */
export function openAdvisor(
  { model: written, baseUrl, timeoutMs }: Settings['advice'],
  { confidenceMin, ...site }: AdvisorSite,
): Advisor | undefined {
  const model = openModel(written, { ...site, baseUrl });
  return model === undefined ? undefined : makeAdvisor({ model, timeoutMs, confidenceMin });
}

/** A model by its written name, or undefined when there is none. */
export function openModel(
  written: string | undefined,
  { baseUrl, ...site }: CodexModelOptions & { readonly baseUrl?: string | undefined },
): Model | undefined {
  if (written === undefined) return undefined;
  return modelNameOf(written).provider === 'codex'
    ? codexModel(written, site)
    : providerModel(written, { env: site.env, baseUrl });
}
