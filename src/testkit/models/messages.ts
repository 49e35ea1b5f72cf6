import {
  type ModelStream,
  type ScriptedModel,
  type ScriptedModelOptions,
  type SendEvent,
  type StreamEvent,
  scriptedModel,
} from './responses.ts';
import {
  type ModelOutput,
  type ModelStep,
  type ModelUsage,
  refuse,
  type StepOptions,
} from './responses-steps.ts';

/**
 * A model server on loopback that streams Anthropic's Messages protocol and does only what the script says, with the
 * same steps as `scriptedResponses`. An error of the model's own (`fail`) is an `error` event inside the stream.
 */
export const scriptedMessages = (options: ScriptedModelOptions = {}): Promise<ScriptedModel> =>
  scriptedModel({ path: '/messages', id: 'msg', play }, options);

const errorTypes: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  529: 'overloaded_error',
};

/** The provider answers with an HTTP error in Anthropic's words: 400, 429, 529 and the like. */
export const refuseMessages = (status: number, message: string, options?: StepOptions): ModelStep =>
  refuse(status, { type: 'error', error: { type: errorTypes[status] ?? 'api_error', message } }, options);

function play(step: ModelStream, id: string, send: SendEvent): void {
  const { output_tokens, ...usage } = usageOf(step.usage);
  const message = { id, type: 'message', role: 'assistant', model: 'scripted', content: [] };
  const open = { stop_reason: null, stop_sequence: null, usage: { ...usage, output_tokens: 1 } };
  send({ type: 'message_start', message: { ...message, ...open } });
  for (const [index, output] of step.outputs.entries())
    for (const event of eventsOf(output, index)) send({ ...event, index });
  if (typeof step.end === 'object')
    send({ type: 'error', error: { type: step.end.code, message: step.end.message } });
  if (step.end !== 'complete') return;
  const calls = step.outputs.some(({ out }) => out === 'function-call' || out === 'custom-call');
  const stop = { stop_reason: calls ? 'tool_use' : 'end_turn', stop_sequence: null };
  send({ type: 'message_delta', delta: stop, usage: { output_tokens } });
  send({ type: 'message_stop' });
}

function eventsOf(output: ModelOutput, index: number): StreamEvent[] {
  const start = (block: object): StreamEvent => ({ type: 'content_block_start', content_block: block });
  const delta = (part: object): StreamEvent => ({ type: 'content_block_delta', delta: part });
  const stop: StreamEvent = { type: 'content_block_stop' };
  const said = (deltas: readonly string[]): StreamEvent[] => [
    start({ type: 'text', text: '' }),
    ...deltas.map((text) => delta({ type: 'text_delta', text })),
  ];
  const called = (id: string, name: string, json: string): StreamEvent[] => [
    start({ type: 'tool_use', id, name, input: {} }),
    delta({ type: 'input_json_delta', partial_json: json }),
    stop,
  ];
  switch (output.out) {
    case 'message':
      return [...said(output.deltas), stop];
    case 'message-begun':
      return said([output.text]);
    case 'reasoning':
      return [
        start({ type: 'thinking', thinking: '', signature: '' }),
        ...output.summary.map((thinking) => delta({ type: 'thinking_delta', thinking })),
        delta({ type: 'signature_delta', signature: `scripted-${index}` }),
        stop,
      ];
    case 'function-call':
      return called(output.id, output.name, output.args);
    case 'custom-call':
      return called(output.id, output.name, JSON.stringify({ input: output.input }));
  }
}

/** Here `input_tokens` is only what neither came from the cache nor went into it. */
function usageOf({ input = 10, cached = 0, cacheWritten = 0, output = 5 }: ModelUsage = {}) {
  return {
    input_tokens: Math.max(0, input - cached - cacheWritten),
    cache_read_input_tokens: cached,
    cache_creation_input_tokens: cacheWritten,
    output_tokens: output,
  };
}
