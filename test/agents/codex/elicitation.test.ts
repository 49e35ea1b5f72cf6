import { describe, expect, it } from 'vitest';
import { answerFor } from '../../../src/edge/agents/codex/approvals.ts';
import { startState } from '../../../src/edge/agents/codex/state.ts';
import { translate } from '../../../src/edge/agents/codex/translate.ts';

const request = (params: object, method = 'mcpServer/elicitation/request') =>
  translate(startState('thread'), { id: 0, method, params });
const place = { threadId: 'thread', turnId: 'turn', serverName: 'tickets', _meta: null };
const declined = { action: 'decline', content: null, _meta: null };

describe('what an MCP server asks a person', () => {
  it('is an approval where it only wants leave, and the answer is its own shape', () => {
    const requestedSchema = { type: 'object', properties: {} };
    const asked = { ...place, mode: 'form', message: 'Close ticket 7?', requestedSchema };
    const { events, replies, state } = request(asked);
    expect(replies).toEqual([]);
    const [told] = events;
    if (told?.event.type !== 'approval-asked') throw new Error('no approval was asked');
    expect(told.event.action).toMatchObject({
      kind: 'tool',
      tool: 'mcp:tickets',
      rendered: { text: 'tickets asks: Close ticket 7?' },
    });
    const open = state.requests[told.event.request];
    if (open === undefined) throw new Error('nothing waits');
    expect(answerFor(open, { answer: 'approve', because: 'yes' })).toEqual({
      action: 'accept',
      content: {},
      _meta: null,
    });
    expect(answerFor(open, { answer: 'deny', because: 'no' })).toEqual(declined);
  });

  it.each([
    [
      'a form',
      { mode: 'form', message: 'Who?', requestedSchema: { properties: { name: { type: 'string' } } } },
    ],
    ['a form of another kind', { mode: 'openai/form', message: 'Who?', requestedSchema: {} }],
    ['an address', { mode: 'url', message: 'Open it', url: 'https://example.org', elicitationId: 'e' }],
    [
      'a proof of presence',
      { mode: 'openai/userVerification', title: 't', description: 'd', challenge: 'c' },
    ],
    ['something of tomorrow', { mode: 'hologram' }],
  ])('is declined and told where it wants %s', (_what, more) => {
    const { events, replies } = request({ ...place, ...more });
    expect(replies).toEqual([{ id: 0, result: declined }]);
    expect(events).toMatchObject([
      { event: { type: 'unreadable', because: expect.stringContaining('tickets asks for something') } },
    ]);
  });
});

describe('a request of the server that nobody here answers', () => {
  it.each([
    'currentTime/read',
    'attestation/generate',
    'account/chatgptAuthTokens/refresh',
    'applyPatchApproval',
    'execCommandApproval',
    'weather/read',
  ])('%s gets an error, and is told', (method) => {
    const { events, replies } = request({}, method);
    expect(replies).toMatchObject([{ id: 0, error: { code: -32_601 } }]);
    expect(events).toMatchObject([{ event: { type: 'unreadable' } }]);
  });
});
