import { Keys } from '../../../commands/Keys'
import { Icon } from '../../../components/Icon'
import { Menu, type MenuEntry } from '../../../components/Menu'
import type { FieldValidation } from '../../copy-as/verbs'
import type { EditorTab } from '../editors'
import { useResults } from '../results'
import type { Action } from '../run'
import * as texts from '../shell-texts'
import { ApplyOptions } from './ApplyOptions'

const VALIDATION: { value: FieldValidation; title: string; hint: string }[] = [
  { value: 'Strict', title: texts.rejectUnknown, hint: texts.strict },
  { value: 'Warn', title: texts.warnUnknown, hint: texts.warn },
  { value: 'Ignore', title: texts.dropUnknown, hint: texts.ignore },
]

/** @param short hides shortcuts and the dry run button */
export function ManifestButtons({ tab, short }: { tab: EditorTab; short: boolean }) {
  const run = useResults((state) => state.run)
  const running = useResults((state) => state.running)
  const side = useResults((state) => state.side)
  const fieldValidation = useResults((state) => state.fieldValidation)
  const setFieldValidation = useResults((state) => state.setFieldValidation)
  const send = (action: Action) => () => void run(action, tab.id)
  const items: MenuEntry[] = [
    {
      title: texts.apply,
      hint: side === 'server' ? texts.serverSide : texts.clientSide,
      icon: 'layers',
      run: send('apply'),
    },
    { title: texts.create, hint: texts.post, icon: 'add', run: send('create') },
    { title: texts.replace, hint: texts.put, icon: 'copy', run: send('replace') },
    { title: texts.dryRun, hint: texts.notPersisted, icon: 'eye', run: send('dry-run') },
    'line',
    {
      title: texts.remove,
      hint: texts.inManifest,
      icon: 'trash',
      danger: true,
      run: send('delete'),
    },
    { heading: texts.unknownFields },
    ...VALIDATION.map(({ value, title, hint }) => ({
      title,
      hint,
      checked: value === fieldValidation,
      run: () => setFieldValidation(value),
    })),
  ]
  // One request at a time. A disabled button would lose the keyboard focus.
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
          {texts.dryRun}
        </button>
      )}
      <div className="joined">
        <button
          type="button"
          className="button primary"
          aria-disabled={running}
          onClick={send('apply')}
        >
          {texts.apply} {!short && <Keys keys="Mod+Enter" />}
        </button>
        <Menu
          label={texts.moreActions}
          className="button primary icon-only"
          face={<Icon name="down" />}
          items={items}
        />
      </div>
    </>
  )
}
