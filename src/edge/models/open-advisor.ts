import type { Advisor, Settings, ToolAdvisor } from '../../contract/index.ts';
import type { ModelSite } from '../agents/kind.ts';
import { kindOf } from '../agents/registry.ts';
import { makeAdvisor } from './advisor.ts';
import type { Model } from './model.ts';
import { modelNameOf } from './name.ts';
import { providerModel } from './provider.ts';
import { makeToolAdvisor } from './tool-advisor.ts';

/** The run a model is asked for. If the run's own agent is the model, it uses the run's setup. */
interface RunSite extends ModelSite {
  readonly agent: string;
}

/** The same model, answering an agent's questions. */
export async function openToolAdvisor(
  { model: written, baseUrl, timeoutMs }: Settings['advice'],
  site: RunSite,
): Promise<ToolAdvisor | undefined> {
  const model = await openModel(written, { ...site, baseUrl });
  return model === undefined ? undefined : makeToolAdvisor({ model, timeoutMs });
}

/** The configured advisor, or undefined. Asks nothing yet. */
export async function openAdvisor(
  { model: written, baseUrl, timeoutMs }: Settings['advice'],
  { confidenceMin, ...site }: RunSite & { readonly confidenceMin: number },
): Promise<Advisor | undefined> {
  const model = await openModel(written, { ...site, baseUrl });
  return model === undefined ? undefined : makeAdvisor({ model, timeoutMs, confidenceMin });
}

/** A model by its name, or undefined when there is none. */
export async function openModel(
  written: string | undefined,
  { baseUrl, agent, setup, ...site }: RunSite & { readonly baseUrl?: string | undefined },
): Promise<Model | undefined> {
  if (written === undefined) return undefined;
  const { provider } = modelNameOf(written);
  const answering = kindOf(provider)?.model?.(written, { ...site, setup: provider === agent ? setup : {} });
  return answering ?? providerModel(written, { env: site.env, baseUrl });
}
