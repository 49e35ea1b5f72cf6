import type { AgentEvent } from '../contract/index.ts';
import type { SimAgents, SimChild, SimTurn } from './sim-stage.ts';

export const commands = [
  ...['npm test', 'git push -f origin main', 'rm -rf /', 'rm -rf ./build', 'make deploy', 'ls'],
  ...['git reset --hard HEAD~3', 'rm -rf ./src'],
];
export const hex = (text: string): string => {
  let out = '';
  for (const char of text) out += (char.codePointAt(0) ?? 0).toString(16);
  return out.padEnd(64, '0').slice(0, 64);
};

export function announce(agents: SimAgents, child: SimChild, turn: SimTurn): void {
  if (turn.isAnnounced) return;
  turn.isAnnounced = true;
  const told = turn.dispatch !== null && agents.stage.temper.dispatchTold ? { dispatch: turn.dispatch } : {};
  const origin = turn.isWoken ? 'background' : undefined;
  say(agents, child, { type: 'turn-started', session: child.thread.id, turn: turn.id, ...told, origin });
}

/** Speaks, as badly as agents do. */
export function say(agents: SimAgents, child: SimChild, event: AgentEvent): void {
  const { dice, temper, fault, isCalm } = agents.stage;
  const onEvent = (said: AgentEvent): void => {
    if (child.keeper.isAlive()) child.listener.onEvent(said);
  };
  const isTrouble = !isCalm() && dice.chance(temper.trouble / 4);
  const kind = isTrouble ? dice.pick(['repeat', 'hold', 'elsewhere'] as const) : 'plain';
  if (kind === 'hold' && child.held.length === 0) {
    fault('reordered');
    child.held.push(event);
    // What is held back comes late, never never.
    agents.stage.clock.after(dice.between(1, 5_000), () => {
      for (const late of child.held.splice(0)) onEvent(late);
    });
    return;
  }
  onEvent(event);
  if (kind === 'repeat') {
    fault(event.type === 'turn-ended' ? 'turn ended twice' : 'repeated');
    onEvent(event);
  } else if (kind === 'elsewhere' && 'session' in event) {
    fault('wrong session');
    onEvent({ ...event, session: 'elsewhere' });
  }
}
