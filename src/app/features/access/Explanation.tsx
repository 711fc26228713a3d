import type {
  Explanation as ExplanationData,
  QueryAttributes,
  Step,
} from '../../../hosts/shared/access'
import { Icon } from '../../components/Icon'
import { Chain, NearMissChain } from './Chain'
import { openAccess, useAccess, useAccessQuery, useSubject } from './state'
import {
  attributesText,
  bySubject,
  chainsAllow,
  EXPLANATION,
  OPINIONS,
  SHARED,
  subjectName,
} from './texts'

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
        <p className="soft">{bySubject(subjectName(subject), revision)}</p>
        <div className="button-row">
          <button
            type="button"
            className="button small"
            onClick={() => openAccess('who-can', { attributes })}
          >
            <Icon name="people" size={14} /> {EXPLANATION.whoCan}
          </button>
          <button
            type="button"
            className="button small"
            onClick={() => openAccess('try', { attributes })}
          >
            <Icon name="scales" size={14} /> {SHARED.checkWithServer}
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
      {allowed ? '✓' : '✕'} {allowed ? EXPLANATION.allowed : EXPLANATION.denied}
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
      <section className="part" aria-label={EXPLANATION.authorizers}>
        <h3>{EXPLANATION.authorizers}</h3>
        <Authorizers steps={steps} />
        {reason !== '' && <p className="soft wrap">{reason}</p>}
        {error && <p className="note warn">{error}</p>}
      </section>
      {chains.length > 0 && (
        <section className="part" aria-label={EXPLANATION.whyAllowed}>
          <h3>{by?.type === 'RBAC' ? chainsAllow(chains.length) : EXPLANATION.alsoByRoles}</h3>
          {chains.map((chain, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: several may be the same but for their rules
            <Chain key={index} chain={chain} />
          ))}
        </section>
      )}
      {!allowed && (
        <section className="part" aria-label={EXPLANATION.nearMisses}>
          <h3>{EXPLANATION.nearMisses}</h3>
          {nearMisses.length === 0 && <p className="soft">{EXPLANATION.noNearMisses}</p>}
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
  allow: { sign: '✓', word: OPINIONS.allow, tone: 'good' },
  deny: { sign: '✕', word: OPINIONS.deny, tone: 'bad' },
  noOpinion: { sign: '–', word: OPINIONS.noOpinion, tone: 'none' },
} as const

/** In the order of evaluation; the first decision is final. */
function Authorizers({ steps }: { steps: readonly Step[] }) {
  return (
    <ol className="authorizers">
      {steps.map(({ by, verdict }) => {
        const { sign, word, tone } =
          verdict === undefined
            ? { sign: '', word: OPINIONS.notEvaluated, tone: 'not-evaluated' }
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
