/**
 * Why a request is allowed or denied: the authorizers, the grants that allow it, or near misses.
 */
import type {
  Explanation as ExplanationData,
  QueryAttributes,
  Step,
} from '../../../hosts/shared/access'
import { Icon } from '../../components/Icon'
import { Chain, NearMissChain } from './Chain'
import { openAccess, useAccess, useAccessQuery, useSubject } from './state'
import { attributesText, subjectName } from './words'

export function Explanation({ attributes }: { attributes: QueryAttributes }) {
  const subject = useSubject()
  const revision = useAccess((state) => state.revision)
  const { data, failure } = useAccessQuery('accessExplain', {
    subject,
    attributes,
    ...(revision === undefined ? {} : { revision }),
  })
  return (
    <>
      <header className="detail-head">
        <p className="detail-title">
          {data && <Verdict allowed={data.allowed} />}
          <strong className="wrap">{attributesText(attributes)}</strong>
        </p>
        <p className="soft">
          by {subjectName(subject)}
          {revision !== undefined && ` · roles as of revision ${revision}`}
        </p>
        <div className="button-row">
          <button
            type="button"
            className="button small"
            onClick={() => openAccess('who-can', { attributes })}
          >
            <Icon name="people" size={14} /> Who can?
          </button>
          <button
            type="button"
            className="button small"
            onClick={() => openAccess('try', { attributes })}
          >
            <Icon name="scales" size={14} /> Check with the server
          </button>
        </div>
      </header>
      <div className="scroll detail-body">
        {failure && <p className="note bad">{failure}</p>}
        {data && <Because explanation={data} attributes={attributes} />}
      </div>
    </>
  )
}

export function Verdict({ allowed }: { allowed: boolean }) {
  return (
    <span className={allowed ? 'chip good' : 'chip bad'}>
      {allowed ? '✓' : '✕'} {allowed ? 'allowed' : 'denied'}
    </span>
  )
}

export function Because({
  explanation,
  attributes,
}: {
  explanation: ExplanationData
  attributes: QueryAttributes
}) {
  const { steps, reason, error, by, chains, nearMisses, allowed } = explanation
  return (
    <>
      <section className="part" aria-label="Authorizers">
        <h3>Authorizers</h3>
        <Authorizers steps={steps} />
        {reason !== '' && <p className="soft wrap">{reason}</p>}
        {error && <p className="note warn">{error}</p>}
      </section>
      {chains.length > 0 && (
        <section className="part" aria-label="Why it is allowed">
          <h3>
            {by?.type === 'RBAC'
              ? chains.length === 1
                ? 'The chain that allows it'
                : `${chains.length} chains allow it`
              : 'Roles allow it too'}
          </h3>
          {chains.map((chain, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: several may be the same but for their rules
            <Chain key={index} chain={chain} />
          ))}
        </section>
      )}
      {!allowed && (
        <section className="part" aria-label="Near misses">
          <h3>Near misses</h3>
          {nearMisses.length === 0 && (
            <p className="soft">No role is close: no binding is relevant.</p>
          )}
          {nearMisses.map((miss, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: several may be the same but for their rules
            <NearMissChain key={index} miss={miss} attributes={attributes} />
          ))}
        </section>
      )}
    </>
  )
}

const OPINION = {
  allow: { sign: '✓', word: 'allows', tone: 'good' },
  deny: { sign: '✕', word: 'denies', tone: 'bad' },
  noOpinion: { sign: '–', word: 'no opinion', tone: 'none' },
} as const

/** In the order of evaluation; the first decision is final. */
function Authorizers({ steps }: { steps: readonly Step[] }) {
  return (
    <ol className="authorizers">
      {steps.map(({ by, verdict }) => {
        const { sign, word, tone } =
          verdict === undefined
            ? { sign: '', word: 'not evaluated', tone: 'not-evaluated' }
            : OPINION[verdict.decision]
        return (
          <li
            key={`${by.type} ${by.name}`}
            className={tone}
            title={verdict?.reason || verdict?.error || undefined}
          >
            <strong className="cut">{by.type}</strong>
            {by.name.toLowerCase() !== by.type.toLowerCase() && (
              <span className="cut soft">{by.name}</span>
            )}
            <span>
              {sign} {word}
            </span>
          </li>
        )
      })}
    </ol>
  )
}
