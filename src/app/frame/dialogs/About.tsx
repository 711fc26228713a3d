import { copyText } from '../../components/copy'
import { Dialog } from '../../components/Dialog'
import { Icon } from '../../components/Icon'
import { useView } from '../../state/view'
import { ABOUT, NOT_SIMULATED, SIMULATED } from './texts'

const EXAMPLE = "fetch('/api/v1/namespaces', { headers: { Authorization: 'Bearer admin-token' } })"

export function About({ onClose }: { onClose: () => void }) {
  return (
    <Dialog label={ABOUT.title} onClose={onClose}>
      <p className="soft">
        {ABOUT.about}
        <button
          type="button"
          className="link"
          onClick={() => useView.getState().set({ dialog: 'stored' })}
        >
          {ABOUT.stored}
        </button>
        .
      </p>
      <div className="about-lists">
        <Points title={ABOUT.simulated} icon="check" tone="good" points={SIMULATED} />
        <Points title={ABOUT.notSimulated} icon="close" tone="bad" points={NOT_SIMULATED} />
      </div>
      <p className="soft">{ABOUT.script}</p>
      <div className="snippet">
        <code>{EXAMPLE}</code>
        <button
          type="button"
          className="button quiet icon-only"
          aria-label={ABOUT.copy}
          onClick={() => void copyText(EXAMPLE, ABOUT.example)}
        >
          <Icon name="copy" size={14} />
        </button>
      </div>
      <div className="dialog-actions">
        <button type="button" className="button primary" data-autofocus onClick={onClose}>
          {ABOUT.done}
        </button>
      </div>
    </Dialog>
  )
}

function Points({
  title,
  icon,
  tone,
  points,
}: {
  title: string
  icon: 'check' | 'close'
  tone: 'good' | 'bad'
  points: readonly string[]
}) {
  return (
    <section>
      <h3>{title}</h3>
      <ul>
        {points.map((text) => (
          <li key={text} className={tone}>
            <Icon name={icon} size={14} />
            <span>{text}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
