/** Sample: two manifests with a conflicting field, by two field managers. */

import { useView } from '../../state/view'
import { useEditors } from './editors'
import alice from './samples/alice.yaml?raw'
import bob from './samples/bob.yaml?raw'

const TWO_MANAGERS = [
  { title: 'alice.yaml', manager: 'alice', text: alice },
  { title: 'bob.yaml', manager: 'bob', text: bob },
] as const

/** Unchanged open files are not opened twice. */
export function openTwoManagers(): void {
  const editors = useEditors.getState()
  const ids = TWO_MANAGERS.map(
    (file) =>
      editors.tabs.find(({ text, manager }) => text === file.text && manager === file.manager)
        ?.id ?? editors.open({ ...file, language: 'yaml' }),
  )
  const [left = '', right = ''] = ids
  editors.setPair([left, right])
  editors.activate(left)
  useView.getState().set({ pane: 'editor', welcome: false })
}
