import { Keys } from '../../commands/Keys'
import { registeredCommands } from '../../commands/registry'
import { Dialog } from '../../components/Dialog'
import { SHORTCUTS } from './texts'

const ELSEWHERE = [
  { title: SHORTCUTS.leave, keys: 'Esc' },
  { title: SHORTCUTS.complete, keys: 'Mod+Space' },
  { title: SHORTCUTS.move, keys: '← → ↑ ↓' },
  { title: SHORTCUTS.moveInTable, keys: '← → ↑ ↓ Enter' },
  { title: SHORTCUTS.rename, keys: 'F2' },
]

export function Shortcuts({ onClose }: { onClose: () => void }) {
  const rows = [
    ...registeredCommands().flatMap(({ title, keys }) => (keys ? [{ title, keys }] : [])),
    ...ELSEWHERE,
  ]
  return (
    <Dialog label={SHORTCUTS.title} onClose={onClose}>
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
