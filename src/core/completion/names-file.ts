/** Programs that look at the work itself: a file they name is what is proven, not how. */
const lookers = new Set('grep egrep fgrep rg test [ [[ wc head tail stat ls'.split(' '));
/** Patterns read from a file are part of the proof again. */
const readsPatterns = /^(-[a-zA-Z]*f|--file(=|$))/;

/** Does a command run this file, or measure by it? `folder` is where the command runs. */
export function namesFile(command: string, folder: string, path: string): boolean {
  const local = folder === '.' ? path : path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : null;
  if (local === null) return false;
  const bare = local.replace(/\.[^./]+$/, '');
  return command
    .split(/\$\(|[;&|`\n]+/) // what is substituted is a command of its own
    .map((part) => part.split(/[\s"'=()<>]+/).filter((word) => word !== '' && word !== '!'))
    .some((words) => !onlyLooks(words) && words.some((word) => namesIt(word, local, bare)));
}

const onlyLooks = ([program = '', ...args]: readonly string[]): boolean =>
  lookers.has(program) &&
  (program === 'test' || program.startsWith('[') || !args.some((arg) => readsPatterns.test(arg)));

function namesIt(word: string, local: string, bare: string): boolean {
  const plain = word.replace(/^\.\//, '');
  return plain === local || plain === bare;
}
