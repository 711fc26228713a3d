import { copyText } from '../../components/copy'
import { Dialog } from '../../components/Dialog'
import { Icon } from '../../components/Icon'
import { useView } from '../../state/view'

/** Must match what the engine implements. */
const HERE = [
  'The API server of Kubernetes: its built-in resources and versions, validation, defaulting and error messages',
  'Releases 1.31 to 1.37, and the APIs of releases since 1.15: choose one at the top',
  'Lists, watches, resourceVersion, finalizers, field ownership, server-side apply and the other patches',
  'Custom resources: CRDs with schema validation and CEL rules',
  'Users, groups, tokens, client certificates and service accounts: switch users at the top right',
  'RBAC and the other authorization modes: the view “Access” shows who can do what, and why',
  'Admission: quotas, limits, Pod Security, and CEL admission policies',
  'Policy: test CEL, policies and CRDs, with values and cost, before applying them',
  'Controllers, a scheduler and simulated nodes: the view “Cluster” shows what they do, with adjustable time',
  'Webhooks and API servers that you write in JavaScript, sandboxed in the page',
  'Your objects stay in this browser, across reloads and tabs',
]
const NOT_HERE = [
  "Containers don't run: their behavior, logs and exec output are scripted",
  "Webhooks the browser can't reach, attach, port-forward, interactive shells, the metrics API",
  'Differences of releases before 1.31, beyond the APIs they serve',
  'A network: Services get IPs, but nothing listens',
]

const EXAMPLE = "fetch('/api/v1/namespaces', { headers: { Authorization: 'Bearer admin-token' } })"

export function About({ onClose }: { onClose: () => void }) {
  return (
    <Dialog label="What's simulated and what isn't" onClose={onClose}>
      <p className="soft">
        This page runs its own API server, in your browser. It aims to respond exactly like the real
        one and is tested against recorded responses. Nothing leaves the browser unless you share
        it:{' '}
        <button
          type="button"
          className="link"
          onClick={() => useView.getState().set({ dialog: 'stored' })}
        >
          stored data
        </button>
        .
      </p>
      <div className="about-lists">
        <Points title="Simulated" icon="check" tone="good" points={HERE} />
        <Points title="Not simulated" icon="close" tone="bad" points={NOT_HERE} />
      </div>
      <p className="soft">
        Any script on this page can call it, including your browser's dev console:
      </p>
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
          Got it
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
  points: string[]
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
