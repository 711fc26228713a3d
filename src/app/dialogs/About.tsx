/** A visible statement of what is simulated and what is not. */
import { copyText } from '../components/copy'
import { Dialog } from '../components/Dialog'
import { Icon } from '../components/Icon'
import { useView } from '../state/view'

/** Changes with what the engine can do. */
const HERE = [
  'The API server of Kubernetes 1.31.4: its built-in resources and versions, their checks, defaults and error messages',
  'What releases 1.15 to 1.32 served: the place “Releases” moves the cluster there, and rehearses upgrades',
  'Lists, watches, resource versions, finalizers, field ownership, server-side apply and the other patches',
  'Custom resources: a definition makes the server serve them, checked by their schema and its rules',
  'Users, groups, tokens, client certificates and service accounts: act as somebody else at the top right',
  'Role-based access and the other modes, with the reason of every answer: the place “Access” shows who may do what, and why',
  'Admission: quotas, limits, Pod Security, and policies in the expression language',
  'Policy, at the left: expressions, policies and definitions tried out with values and costs before they are in force',
  'Controllers, a scheduler and simulated nodes: the place “Cluster” shows what they do, in a time that you set',
  'Webhooks and API servers that you write in JavaScript, in a sandbox of the page',
  'Your objects stay in this browser, over reloads and between tabs',
]
const NOT_HERE = [
  'Containers: what they do, log and answer is scripted, no image is pulled and nothing runs',
  'Webhooks elsewhere that the browser may not reach; attach, port-forward and, in a tab, a shell to type into; a metrics API',
  'What releases other than 1.31 did differently beyond their versions and the table of removed ones',
  'A network: Services get addresses, nobody answers there',
]

const EXAMPLE = "fetch('/api/v1/namespaces', { headers: { Authorization: 'Bearer admin-token' } })"

export function About({ onClose }: { onClose: () => void }) {
  return (
    <Dialog label="What is simulated, and what is not" onClose={onClose}>
      <p className="soft">
        This page runs an API server of its own, in your browser. It means to answer exactly as the real one does, and is tested against
        recordings of it. Nothing you do here leaves the browser unless you share it:{' '}
        <button type="button" className="link" onClick={() => useView.getState().set({ dialog: 'stored' })}>
          what is stored here
        </button>
        .
      </p>
      <div className="about-lists">
        <Points title="Here" icon="check" tone="good" points={HERE} />
        <Points title="Not here" icon="close" tone="bad" points={NOT_HERE} />
      </div>
      <p className="soft">Every script of this page reaches it, also the one in the browser’s console:</p>
      <div className="snippet">
        <code>{EXAMPLE}</code>
        <button
          type="button"
          className="button quiet icon-only"
          aria-label="Copy the example"
          onClick={() => void copyText(EXAMPLE, 'The example')}
        >
          <Icon name="copy" size={14} />
        </button>
      </div>
      <div className="dialog-actions">
        <button type="button" className="button primary" data-autofocus onClick={onClose}>
          Good to know
        </button>
      </div>
    </Dialog>
  )
}

function Points({ title, icon, tone, points }: { title: string; icon: 'check' | 'close'; tone: 'good' | 'bad'; points: string[] }) {
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
