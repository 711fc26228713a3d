import { entryOf } from '../../../engine/core/object'
import type { Holder, WhoCan as WhoCanResult } from '../../../hosts/shared/access'
import { Empty } from '../../components/Empty'
import { AttributesForm } from './AttributesForm'
import { Chain } from './Chain'
import { openAccess, useAccess, useAccessQuery } from './state'
import {
  allowedBy,
  allPermissionsOf,
  asOfRevision,
  attributesText,
  SHARED,
  subjectKind,
  VIEW_TITLES,
  WHO_CAN,
  WITHOUT_ROLE,
  whoCan,
} from './texts'

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
        aria-label={VIEW_TITLES.whoCan}
        onSubmit={(event) => event.preventDefault()}
      >
        <AttributesForm attributes={attributes} onChange={(next) => set({ attributes: next })} />
        {revision !== undefined && (
          <p className="note">
            {asOfRevision(revision)}{' '}
            <button type="button" className="link" onClick={() => set({ revision: undefined })}>
              {WHO_CAN.now}
            </button>
          </p>
        )}
      </form>
      <section className="access-main" aria-label={WHO_CAN.result}>
        <h2 className="wrap">{whoCan(attributesText(attributes))}</h2>
        {failure && <p className="note bad">{failure}</p>}
        {data === undefined ? (
          !failure && <Empty>{SHARED.loading}</Empty>
        ) : (
          <Holders result={data} />
        )}
      </section>
    </div>
  )
}

function Holders({ result }: { result: WhoCanResult }) {
  const { holders, caveats } = result
  return (
    <>
      {holders.length === 0 ? (
        <p className="soft">{WHO_CAN.none}</p>
      ) : (
        <ul className="holders" aria-label={WHO_CAN.holders}>
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
        <span className="chip mute">{subjectKind(subject.kind)}</span>
        <strong className="wrap">{name}</strong>
        <span className="soft cut">
          {by.type}
          {chain && ` · ${chain.binding.kind} ${chain.binding.name}`}
        </span>
      </summary>
      {chain ? (
        <Chain chain={chain} />
      ) : (
        <p className="soft">{entryOf(WITHOUT_ROLE, by.type) ?? allowedBy(by.name)}</p>
      )}
      <p>
        <button type="button" className="link" onClick={rights}>
          {allPermissionsOf(name)}
        </button>
      </p>
    </details>
  )
}
