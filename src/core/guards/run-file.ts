import { runsFile } from './access.ts';
import { type Call, report, type World } from './call.ts';
import { judgeCode, type Language } from './code/index.ts';
import { hasAnything, shown } from './marks.ts';
import { resolvePath } from './paths.ts';
import { type Flow, unknownFlow } from './shell/state.ts';
import { taskKind } from './tasks.ts';

/** Code arrives through a pipe, a here-document or a file the script itself wrote. */
export function runsContent(
  world: World,
  call: Call,
  flow: Flow,
  from: string,
  language: Language = 'shell',
): Flow {
  switch (flow.of) {
    case 'nothing':
      report(world, language === 'shell' ? 'run-shell' : 'interactive', call.program);
      return unknownFlow;
    case 'text':
      if (language === 'shell' || /^#!.*\b(sh|bash|zsh|dash|ksh)\b/.test(flow.text))
        return world.script(flow.text, call);
      judgeCode(language, flow.text, call, world);
      return unknownFlow;
    case 'file':
      executes(world, call, flow.path, language);
      return unknownFlow;
    case 'network':
      report(world, 'run-remote', shown(from || call.program));
      return unknownFlow;
    case 'paths':
    case 'unknown':
      report(world, 'opaque', `${call.program} runs text that is not known before it runs`);
      return unknownFlow;
  }
}

/** A file is given to an interpreter. */
export function executes(world: World, call: Call, path: string, language: Language = 'shell'): Flow {
  if (path === '-' || path === '/dev/stdin') return runsContent(world, call, call.stdin, path, language);
  const absolute = resolvePath(path, call.state.cwd);
  const content = absolute === undefined ? undefined : call.state.files.get(absolute);
  if (content) return runsContent(world, call, content, path, language);
  if (hasAnything(path)) {
    report(world, 'opaque', `which file runs is not known: ${shown(path)}`);
    return unknownFlow;
  }
  if (/^(https?|npm|jsr|gh|git\+\w+):/i.test(path)) {
    report(world, 'run-remote', shown(path));
    return unknownFlow;
  }
  runsFile(world, call, path);
  const kind = taskKind(path.slice(path.lastIndexOf('/') + 1));
  if (kind) report(world, kind, `the project's own “${shown(path)}”`);
  return unknownFlow;
}
