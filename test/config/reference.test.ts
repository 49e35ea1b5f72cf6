import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { configFileSchema, settingsSchema } from '../../src/contract/config.ts';
import { limitsSchema } from '../../src/contract/policy.ts';
import { keysOf, schemaAt } from '../../src/edge/config/describe-schema.ts';
import { tightenings } from '../../src/edge/config/tighten.ts';
import { configDocs } from '../../tools/config-doc.ts';

const root = resolve(import.meta.dirname, '../..');

/** Every setting and section as a path. */
const paths = (keysOf(configFileSchema) ?? []).flatMap((key) => {
  const inner = keysOf(schemaAt(configFileSchema, [key]) ?? z.never()) ?? [];
  return [[key], ...inner.map((one) => [key, one])];
});

describe('the reference of the configuration', () => {
  it.each(Object.entries(configDocs()))(
    'in %s is what the schema says (else run node tools/config-doc.ts)',
    (path, text) => {
      expect(readFileSync(resolve(root, path), 'utf8')).toBe(text);
    },
  );

  it.each(paths)('describes %s %s', (...path) => {
    expect(schemaAt(configFileSchema, path.filter(Boolean))?.description).toBeTruthy();
  });
});

describe('the schema of the configuration', () => {
  it('takes every limit of the policy except the cycles, which have their own setting', () => {
    const { cyclesMax: _cycles, ...limits } = limitsSchema.shape;
    expect(keysOf(settingsSchema.shape.limits)).toEqual(Object.keys(limits));
    expect(keysOf(schemaAt(configFileSchema, ['limits']) ?? z.never())).toEqual(Object.keys(limits));
  });

  it('knows for every setting whether a stranger’s file may set it', () => {
    const leaves = paths.filter(
      (path) => !keysOf(schemaAt(configFileSchema, path) ?? z.never()) || path.length > 1,
    );
    expect(leaves.map((path) => path.join('.')).sort()).toEqual(Object.keys(tightenings).sort());
  });

  it('fills in nothing: an absent key leaves the layer below alone', () => {
    expect(configFileSchema.parse({ limits: {}, gates: {}, agent: {} })).toEqual({
      limits: {},
      gates: {},
      agent: {},
    });
  });
});
