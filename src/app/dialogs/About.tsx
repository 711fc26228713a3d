/** A visible statement of what is simulated and what is not. */
import { Dialog } from '../components/Dialog'

const IS = [
  'The API server of Kubernetes 1.31: every built-in resource, its versions, its checks and its error messages',
  'Lists, watches, resource versions, finalizers, field ownership, server-side apply and all patch types',
  'Users, groups and role-based access: act as somebody else in the top bar',
  'Your objects are kept in this browser and survive a reload',
]
const IS_NOT = [
  'Nodes, kubelets and containers: a Pod stays Pending, and nothing runs',
  'Controllers and the scheduler: a Deployment creates no ReplicaSet by itself, a deleted Namespace stays Terminating',
  'Custom resource definitions are stored, but their resources are not served yet; admission policies and webhooks do not act yet',
  'A network: Services have addresses, but nobody answers there',
]

export function About({ onClose }: { onClose: () => void }) {
  return (
    <Dialog label="What is simulated" onClose={onClose}>
      <div className="dialog-body">
        <h2>What is simulated, and what is not</h2>
        <p className="soft">
          Where this server answers, it means to answer exactly as the real one does. Where it has no answer, it says so.
        </p>
        <div>
          <strong>Here</strong>
          <ul className="causes">
            {IS.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        </div>
        <div>
          <strong>Not here</strong>
          <ul className="causes">
            {IS_NOT.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        </div>
        <p className="soft">
          Programs reach it too: <code className="mono">fetch('/api/v1/namespaces')</code> works from this page’s console.
        </p>
        <div className="dialog-actions">
          <button type="button" className="button primary" onClick={onClose}>
            Good to know
          </button>
        </div>
      </div>
    </Dialog>
  )
}
