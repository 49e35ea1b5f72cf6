const scriptName =
  /^(pre|post)?(test|build|start|dev|lint|install|prepare|publish|pack|version|uninstall|shrinkwrap|prepublishOnly|watch|deploy|release|format|check|clean|typecheck|e2e|serve|ci|setup|bootstrap|postinstall|preinstall)([:-].*)?$/;
const versionText =
  /^([~^<>=*]|v?\d|workspace:|file:|link:|npm:|git|https?:|latest$|next$|catalog:|portal:|patch:)/;

/** Does a diff of a package.json change what the package manager runs? */
export function changesScripts(diff: string): boolean {
  let section = '';
  for (const line of diff.split('\n')) {
    const opens = /^[ +-]?\s*"([\w-]+)"\s*:\s*\{/.exec(line);
    if (opens) section = opens[1] as string;
    else if (/^[ +-]?\s*\}/.test(line)) section = '';
    if (/^@@.*"scripts"/.test(line)) section = 'scripts';
    const changed = /^[+-](?![+-])\s*"([^"]+)"\s*:\s*"((?:[^"\\]|\\.)*)"/.exec(line);
    if (!changed) {
      if (/^[+-](?![+-]).*"scripts"\s*:\s*\{\s*\S/.test(line)) return true;
      continue;
    }
    const [, name = '', value = ''] = changed;
    if (section === 'scripts') return true;
    if (section === '' && scriptName.test(name) && !versionText.test(value) && /[\s/&|]|^\w+$/.test(value))
      return true;
  }
  return false;
}
