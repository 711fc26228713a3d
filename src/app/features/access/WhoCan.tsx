/** The reverse query: every subject that can do something, by authorizer and grant. */
import { entryOf } from '../../../engine/core/object'
import type { Holder, WhoCan as WhoCanResult } from '../../../hosts/shared/access'
import { Empty } from '../../components/Empty'
import { AttributesForm } from './AttributesForm'
import { Chain } from './Chain'
import { openAccess, useAccess, useAccessQuery } from './state'
import { attributesText } from './words'

export default function WhoCan() {
  const attributes = useAccess((state) => state.attributes)
  const revision = useAccess((state) => state.revision)
  const set = useAccess((state) => state.set)
  const { data, failure } = useAccessQuery('accessWhoCan', {
    attributes,
    ...(revision === undefined ? {} : { revision }),
  })
  return (
    <div className="access-columns">
      <form
        className="access-form"
        aria-label="Who can"
        onSubmit={(event) => event.preventDefault()}
      >
        <AttributesForm attributes={attributes} onChange={(next) => set({ attributes: next })} />
        {revision !== undefined && (
          <p className="note">
            Roles and bindings as of revision {revision}.{' '}
            <button type="button" className="link" onClick={() => set({ revision: undefined })}>
              As of now
            </button>
          </p>
        )}
      </form>
      <section className="access-main" aria-label="Who can: result">
        <h2 className="wrap">Who can {attributesText(attributes)}?</h2>
        {failure && <p className="note bad">{failure}</p>}
        {data === undefined ? !failure && <Empty>Loading …</Empty> : <Holders result={data} />}
      </section>
    </div>
  )
}

function Holders({ result }: { result: WhoCanResult }) {
  const { holders, caveats } = result
  return (
    <>
      {holders.length === 0 ? (
        <p className="soft">No subjects.</p>
      ) : (
        <ul className="holders" aria-label="Holders">
          {holders.map((holder, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a subject can appear several times
            <li key={index}>
              <OneHolder holder={holder} />
            </li>
          ))}
        </ul>
      )}
      {caveats.map(({ text }) => (
        <p key={text} className="note warn">
          {text}
        </p>
      ))}
    </>
  )
}

/** Subjects that are allowed without a role. */
const WITHOUT_ROLE: Record<string, string> = {
  Superusers:
    'Members bypass authorization entirely; no role grants this and nothing can revoke it.',
  Node: 'Kubelets can access what their Pods need.',
  ABAC: 'A line of the policy file allows it.',
  AlwaysAllow: 'Allows all requests.',
}

function OneHolder({ holder }: { holder: Holder }) {
  const { subject, by, chain } = holder
  const name =
    subject.kind === 'ServiceAccount' ? `${subject.namespace}/${subject.name}` : subject.name
  const rights = () =>
    openAccess('rights', {
      subject:
        subject.kind === 'ServiceAccount'
          ? { kind: 'ServiceAccount', namespace: subject.namespace ?? '', name: subject.name }
          : { kind: subject.kind === 'Group' ? 'Group' : 'User', name: subject.name },
      explained: undefined,
    })
  return (
    <details className="holder">
      <summary>
        <span className="chip mute">
          {subject.kind === 'ServiceAccount' ? 'Service account' : subject.kind}
        </span>
        <strong className="wrap">{name}</strong>
        <span className="soft cut">
          {by.type}
          {chain && ` · ${chain.binding.kind} ${chain.binding.name}`}
        </span>
      </summary>
      {chain ? (
        <Chain chain={chain} />
      ) : (
        <p className="soft">
          {entryOf(WITHOUT_ROLE, by.type) ?? `Allowed by the authorizer ${by.name}.`}
        </p>
      )}
      <p>
        <button type="button" className="link" onClick={rights}>
          All permissions of {name}
        </button>
      </p>
    </details>
  )
}
