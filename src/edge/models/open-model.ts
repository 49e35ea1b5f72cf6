import type { Settings } from '../../contract/index.ts';
import type { ModelSite } from '../agents/kind.ts';
import { kindOf } from '../agents/registry.ts';
import { type Model, modelNameOf } from './model.ts';
import { providerModel } from './provider.ts';

/** The configured model, or undefined. If the run's own agent is the model, it uses the run's setup. */
export async function openModel(
  { model: written, baseUrl }: Pick<Settings['advice'], 'model' | 'baseUrl'>,
  { agent, setup, ...site }: ModelSite & { readonly agent: string },
): Promise<Model | undefined> {
  if (written === undefined) return undefined;
  const { provider } = modelNameOf(written);
  const answering = kindOf(provider)?.model?.(written, { ...site, setup: provider === agent ? setup : {} });
  return answering ?? providerModel(written, { env: site.env, baseUrl });
}
