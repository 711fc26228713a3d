/** Apply, and the other ways to send a manifest. */
import { Icon } from '../../components/Icon'
import { Keys } from '../../components/Keys'
import { Menu, type MenuEntry } from '../../components/Menu'
import type { FieldValidation } from '../../kubectl/verbs'
import { useResults } from '../../state/results'

const VALIDATION: { value: FieldValidation; title: string; hint: string }[] = [
  { value: 'Strict', title: 'are refused', hint: 'Strict, as kubectl' },
  { value: 'Warn', title: 'give a warning', hint: 'Warn' },
  { value: 'Ignore', title: 'are dropped silently', hint: 'Ignore' },
]

export function ManifestButtons() {
  const { run, running, fieldValidation, setFieldValidation } = useResults()
  const items: MenuEntry[] = [
    { title: 'Apply', hint: 'create, or patch what differs', icon: 'layers', run: () => void run('apply') },
    { title: 'Create', hint: 'POST', icon: 'add', run: () => void run('create') },
    { title: 'Replace', hint: 'PUT', icon: 'copy', run: () => void run('replace') },
    { title: 'Dry run', hint: 'nothing is stored', icon: 'eye', run: () => void run('dry-run') },
    'line',
    { title: 'Delete', hint: 'what the manifest names', icon: 'trash', danger: true, run: () => void run('delete') },
    { heading: 'Unknown fields …' },
    ...VALIDATION.map(({ value, title, hint }) => ({
      title,
      hint,
      checked: value === fieldValidation,
      run: () => setFieldValidation(value),
    })),
  ]
  return (
    <>
      <button type="button" className="button wide-only" disabled={running} onClick={() => void run('dry-run')}>
        Dry run
      </button>
      <div className="joined">
        <button type="button" className="button primary" disabled={running} onClick={() => void run('apply')}>
          Apply <Keys keys="Mod+Enter" />
        </button>
        <Menu label="More ways to send the manifest" className="button primary icon-only" face={<Icon name="down" />} items={items} />
      </div>
    </>
  )
}
