import { Keys } from '../../commands/Keys'
import { registeredCommands } from '../../commands/registry'
import { Dialog } from '../../components/Dialog'

const ELSEWHERE = [
  { title: 'Leave editor or close dialog', keys: 'Esc' },
  { title: 'Trigger completion', keys: 'Mod+Space' },
  { title: 'Move in the tree, in tabs, lists and menus', keys: '← → ↑ ↓' },
  { title: 'Move in the table of permissions; open a cell', keys: '← → ↑ ↓ Enter' },
  { title: 'Rename focused tab', keys: 'F2' },
]

export function Shortcuts({ onClose }: { onClose: () => void }) {
  const rows = [
    ...registeredCommands().flatMap(({ title, keys }) => (keys ? [{ title, keys }] : [])),
    ...ELSEWHERE,
  ]
  return (
    <Dialog label="Keyboard shortcuts" onClose={onClose}>
      <dl className="shortcuts">
        {rows.map(({ title, keys }) => (
          <div key={title}>
            <dt>{title}</dt>
            <dd>
              <Keys keys={keys} />
              <span className="visually-hidden">{keys}</span>
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
