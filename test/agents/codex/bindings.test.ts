import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  codexErrorWords,
  serverNotificationMethods,
  serverRequestMethods,
} from '../../../src/edge/agents/codex/bindings/wire.ts';
import { testedVersion } from '../../../src/edge/agents/codex/installed.ts';
import {
  ignoredNotifications,
  notificationSchemas,
  requestSchemas,
} from '../../../src/edge/agents/codex/native.ts';
import { agents } from '../../../tools/agents.ts';
import { bindingsPath } from '../../../tools/codex-bindings.ts';
import { outcomes } from './outcomes.ts';

describe('what Codex says of its own protocol', () => {
  it('is of the version we test with', () => {
    expect(agents.codex.version).toBe(testedVersion);
    expect(readFileSync(bindingsPath, 'utf8')).toContain(`from Codex ${testedVersion} `);
  });

  it('has no notification we neither read nor leave alone on purpose, and none of ours is gone', () => {
    const known = [...Object.keys(notificationSchemas), ...ignoredNotifications];
    expect(known.toSorted()).toEqual([...serverNotificationMethods].toSorted());
  });

  it('has no request but those we answer and those we refuse on purpose', () => {
    const refused = [
      ...['account/chatgptAuthTokens/refresh', 'attestation/generate', 'currentTime/read'],
      ...['applyPatchApproval', 'execCommandApproval'],
    ];
    expect([...Object.keys(requestSchemas), ...refused].toSorted()).toEqual(
      [...serverRequestMethods].toSorted(),
    );
  });

  it('has no word for an error that no test decides about', () => {
    const decided = new Set(
      outcomes.map(([word]) => (typeof word === 'object' && word !== null ? Object.keys(word)[0] : word)),
    );
    expect(codexErrorWords.filter((word) => !decided.has(word))).toEqual([]);
  });
});
