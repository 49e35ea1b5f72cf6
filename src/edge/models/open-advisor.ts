import type { Advisor, Settings, ToolAdvisor } from '../../contract/index.ts';
import type { ModelSite } from '../agents/kind.ts';
import { kindOf } from '../agents/registry.ts';
import { makeAdvisor } from './advisor.ts';
import type { Model } from './model.ts';
import { modelNameOf } from './name.ts';
import { providerModel } from './provider.ts';
import { makeToolAdvisor } from './tool-advisor.ts';

/** Beside which run a model is asked. An agent that works the run answers as it is set up there. */
interface RunSite extends ModelSite {
  readonly agent: string;
}

/** The same model, as it answers an agent's questions. */
export async function openToolAdvisor(
  { model: written, baseUrl, timeoutMs }: Settings['advice'],
  site: RunSite,
): Promise<ToolAdvisor | undefined> {
  const model = await openModel(written, { ...site, baseUrl });
  return model === undefined ? undefined : makeToolAdvisor({ model, timeoutMs });
}

/** The advisor a person configured, or undefined when they named no model. Asks nothing yet. */
export async function openAdvisor(
  { model: written, baseUrl, timeoutMs }: Settings['advice'],
  { confidenceMin, ...site }: RunSite & { readonly confidenceMin: number },
): Promise<Advisor | undefined> {
  const model = await openModel(written, { ...site, baseUrl });
  return model === undefined ? undefined : makeAdvisor({ model, timeoutMs, confidenceMin });
}

/** A model by its written name, or undefined when there is none. */
export async function openModel(
  written: string | undefined,
  { baseUrl, agent, setup, ...site }: RunSite & { readonly baseUrl?: string | undefined },
): Promise<Model | undefined> {
  if (written === undefined) return undefined;
  const { provider } = modelNameOf(written);
  const answering = kindOf(provider)?.model?.(written, { ...site, setup: provider === agent ? setup : {} });
  return answering ?? providerModel(written, { env: site.env, baseUrl });
}
