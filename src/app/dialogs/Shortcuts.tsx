import { commands, keysText } from '../commands'
import { Dialog } from '../components/Dialog'

export function Shortcuts({ onClose }: { onClose: () => void }) {
  return (
    <Dialog label="Keyboard shortcuts" onClose={onClose}>
      <div className="dialog-body">
        <h2>Keyboard shortcuts</h2>
        {commands()
          .filter(({ keys }) => keys !== undefined)
          .map(({ id, title, keys = '' }) => (
            <div key={id} style={{ display: 'flex', justifyContent: 'space-between', gap: 16 }}>
              <span>{title}</span>
              <kbd>{keysText(keys)}</kbd>
            </div>
          ))}
        <div style={{ display: 'flex', justifyContent: 'space-between', gap: 16 }}>
          <span>Leave the editor by keyboard</span>
          <kbd>Esc</kbd>
        </div>
        <div className="dialog-actions">
          <button type="button" className="button" onClick={onClose}>
            Close
          </button>
        </div>
      </div>
    </Dialog>
  )
}
