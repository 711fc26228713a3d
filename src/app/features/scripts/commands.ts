import type { Command } from '../../commands/registry'
import { useView } from '../../state/view'
import { type EditorTab, useEditors } from '../manifests/editors'
import { openNewFile } from '../manifests/open-new-file'
import { useScripts } from './runner'
import { SCRIPT_SAMPLES } from './samples'
import * as texts from './shell-texts'

/** A script from a shared link needs a confirmation first. */
export function runScriptOf(tab: EditorTab): void {
  const start = () => {
    useEditors.getState().trust(tab.id)
    useView.getState().set({ activity: 'output', pane: 'activity' })
    void useScripts.getState().run(tab.text)
  }
  if (tab.from === undefined) start()
  else confirmRun(tab.from, start)
}

function confirmRun(from: string, run: () => void): void {
  useView.getState().set({
    question: {
      title: texts.shared,
      text: texts.sharedWarning(from),
      choices: [{ title: texts.run, run }],
    },
  })
}

export const SCRIPT_COMMANDS: Command[] = [
  {
    id: 'new-script',
    title: texts.newScript,
    group: texts.group,
    run: () => openNewFile('script.ts', 'typescript', ''),
  },
  {
    id: 'stop-script',
    title: texts.stopScript,
    group: texts.group,
    run: () => useScripts.getState().stop(),
  },
  ...SCRIPT_SAMPLES.map(
    ({ title, about, text }): Command => ({
      id: `script-${title}`,
      title: texts.sample(about),
      group: texts.group,
      run: () => openNewFile(title, 'typescript', text),
    }),
  ),
]
