import type { Release } from '../../../../engine/releases'
import type { Comparison } from '../compared'
import type { LinePair } from '../line-pairs'
import { COMPARE } from '../texts'

interface ComparedProps {
  comparison: Comparison
  releases: readonly [Release, Release]
}

export function ComparedResponses({ comparison, releases }: ComparedProps) {
  const { left, right, headers, body } = comparison
  const isSame = left.status === right.status && headers.length === 0 && body.length === 0
  return (
    <section className="compared" aria-label={COMPARE.responses} aria-live="polite">
      <div className="compared-heads">
        {[left, right].map(({ status, text }, index) => (
          <h3 key={releases[index]}>
            <span className="mono">{releases[index]}</span>
            <span className={`chip ${status < 400 ? 'good' : 'bad'}`}>{status}</span>
            <span className="soft small compared-size">{COMPARE.characters(text.length)}</span>
          </h3>
        ))}
      </div>
      {isSame && <p className="note good">{COMPARE.same}</p>}
      {headers.length > 0 && (
        <table className="compared-headers">
          <thead>
            <tr>
              <th scope="col">{COMPARE.headers}</th>
              <th scope="col">{releases[0]}</th>
              <th scope="col">{releases[1]}</th>
            </tr>
          </thead>
          <tbody className="mono small">
            {headers.map(({ name, left: before, right: after }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td>{before ?? '–'}</td>
                <td>{after ?? '–'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {body.length > 0 && <Lines pairs={body} releases={releases} />}
      {!isSame && body.length === 0 && <p className="soft">{COMPARE.equalBodies}</p>}
    </section>
  )
}

function Lines({
  pairs,
  releases,
}: {
  pairs: readonly LinePair[]
  releases: readonly [Release, Release]
}) {
  return (
    <div className="line-pairs mono">
      {pairs.map((pair, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity but their place
        <PairRow key={index} pair={pair} releases={releases} />
      ))}
    </div>
  )
}

function PairRow({ pair, releases }: { pair: LinePair; releases: readonly [Release, Release] }) {
  if (pair.kind === 'gap') return <div className="line-gap">{COMPARE.equalLines(pair.lines)}</div>
  if (pair.kind === 'same')
    return (
      <div className="line-pair same">
        <span>{pair.text}</span>
        <span aria-hidden="true">{pair.text}</span>
      </div>
    )
  const { left, right } = pair
  return (
    <div className="line-pair">
      <span className={left === undefined ? 'none' : 'removed'}>
        {left !== undefined && <Sign text="−" words={COMPARE.only(releases[0])} />}
        {left}
      </span>
      <span className={right === undefined ? 'none' : 'added'}>
        {right !== undefined && <Sign text="+" words={COMPARE.only(releases[1])} />}
        {right}
      </span>
    </div>
  )
}

function Sign({ text, words }: { text: string; words: string }) {
  return (
    <>
      <span aria-hidden="true" className="sign">
        {text}
      </span>
      <span className="visually-hidden">{words}</span>
    </>
  )
}
