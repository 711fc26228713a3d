/** Commands of scripts. */
import type { Command } from '../../commands/registry'
import { useView } from '../../state/view'
import { type EditorTab, useEditors } from '../manifests/editors'
import { openNewFile } from '../manifests/open-new-file'
import { useScripts } from './runner'
import { SCRIPT_SAMPLES } from './samples'

/** Runs the script of a file. A script from a shared link needs a confirmation first. */
export function runScriptOf(tab: EditorTab): void {
  const start = () => {
    useEditors.getState().trust(tab.id)
    useView.getState().set({ activity: 'output', pane: 'activity' })
    void useScripts.getState().run(tab.text)
  }
  if (tab.from === undefined) start()
  else confirmRun(tab.from, start)
}

/** A script from elsewhere may do whatever this page may. */
function confirmRun(from: string, run: () => void): void {
  useView.getState().set({
    question: {
      title: 'Run a script that came with a shared link?',
      text: `The link names ${from} as its sender. Read it first: a script can read and change all clusters and files that this page stores in this browser.`,
      choices: [{ title: 'Run it', run }],
    },
  })
}

export const SCRIPT_COMMANDS: Command[] = [
  {
    id: 'new-script',
    title: 'New script',
    group: 'Script',
    run: () => openNewFile('script.ts', 'typescript', ''),
  },
  {
    id: 'stop-script',
    title: 'Stop the running script',
    group: 'Script',
    run: () => useScripts.getState().stop(),
  },
  ...SCRIPT_SAMPLES.map(
    ({ title, about, text }): Command => ({
      id: `script-${title}`,
      title: `Script: ${about}`,
      group: 'Script',
      run: () => openNewFile(title, 'typescript', text),
    }),
  ),
]
