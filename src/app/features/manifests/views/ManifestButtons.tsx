/** Apply, and the other ways to send a manifest. */

import { Keys } from '../../../commands/Keys'
import { Icon } from '../../../components/Icon'
import { Menu, type MenuEntry } from '../../../components/Menu'
import type { FieldValidation } from '../../copy-as/verbs'
import type { EditorTab } from '../editors'
import { useResults } from '../results'
import type { Action } from '../run'
import { ApplyOptions } from './ApplyOptions'

const VALIDATION: { value: FieldValidation; title: string; hint: string }[] = [
  { value: 'Strict', title: 'are rejected', hint: 'Strict, as kubectl' },
  { value: 'Warn', title: 'warn (Warn)', hint: 'Warn' },
  { value: 'Ignore', title: 'are dropped silently', hint: 'Ignore' },
]

/** @param short hides shortcuts and the dry run button in narrow layouts */
export function ManifestButtons({ tab, short }: { tab: EditorTab; short: boolean }) {
  const { run, running, side, fieldValidation, setFieldValidation } = useResults()
  const send = (action: Action) => () => void run(action, tab.id)
  const items: MenuEntry[] = [
    {
      title: 'Apply',
      hint: side === 'server' ? 'server-side' : 'client-side',
      icon: 'layers',
      run: send('apply'),
    },
    { title: 'Create', hint: 'POST', icon: 'add', run: send('create') },
    { title: 'Replace', hint: 'PUT', icon: 'copy', run: send('replace') },
    { title: 'Dry run', hint: 'not persisted', icon: 'eye', run: send('dry-run') },
    'line',
    {
      title: 'Delete',
      hint: 'objects in this manifest',
      icon: 'trash',
      danger: true,
      run: send('delete'),
    },
    { heading: 'Unknown fields …' },
    ...VALIDATION.map(({ value, title, hint }) => ({
      title,
      hint,
      checked: value === fieldValidation,
      run: () => setFieldValidation(value),
    })),
  ]
  // Nothing else is sent while a response is pending. The button is not disabled, since it would
  // lose the keyboard focus.
  return (
    <>
      <ApplyOptions tab={tab} />
      {!short && (
        <button
          type="button"
          className="button wide-only"
          aria-disabled={running}
          onClick={send('dry-run')}
        >
          Dry run
        </button>
      )}
      <div className="joined">
        <button
          type="button"
          className="button primary"
          aria-disabled={running}
          onClick={send('apply')}
        >
          Apply {!short && <Keys keys="Mod+Enter" />}
        </button>
        <Menu
          label="More actions"
          className="button primary icon-only"
          face={<Icon name="down" />}
          items={items}
        />
      </div>
    </>
  )
}
