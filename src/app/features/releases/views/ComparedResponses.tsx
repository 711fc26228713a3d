import { ASPECTS, type Comparison } from '../compared'
import type { LinePair } from '../line-pairs'
import { COMPARE } from '../texts'

interface ComparedProps {
  comparison: Comparison
  titles: readonly [string, string]
}

export function ComparedResponses({ comparison, titles }: ComparedProps) {
  const { left, right, headers, body, aspects } = comparison
  const isSame =
    left.status === right.status &&
    [headers, body, ...Object.values(aspects)].every((pairs) => !pairs?.length)
  return (
    <section className="compared" aria-label={COMPARE.responses} aria-live="polite">
      <div className="compared-heads">
        {[left, right].map(({ status, text }, index) => (
          <h3 key={index === 0 ? 'left' : 'right'}>
            <span className="mono">{titles[index]}</span>
            <span className={`chip ${status < 400 ? 'good' : 'bad'}`}>{status}</span>
            <span className="soft small compared-size">{COMPARE.characters(text.length)}</span>
          </h3>
        ))}
      </div>
      {isSame && <p className="note good">{COMPARE.same}</p>}
      <h4>{COMPARE.response}</h4>
      {headers.length > 0 && (
        <table className="compared-headers">
          <thead>
            <tr>
              <th scope="col">{COMPARE.headers}</th>
              <th scope="col">{titles[0]}</th>
              <th scope="col">{titles[1]}</th>
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
      {body.length > 0 && <Lines pairs={body} titles={titles} />}
      {body.length === 0 && <p className="soft small">{COMPARE.equalBodies}</p>}
      {ASPECTS.map((aspect) => {
        const pairs = aspects[aspect]
        return (
          pairs && (
            <section key={aspect} className="compared-aspect" aria-label={COMPARE[aspect]}>
              <h4>{COMPARE[aspect]}</h4>
              {pairs.length > 0 ? (
                <Lines pairs={pairs} titles={titles} />
              ) : (
                <p className="soft small">{COMPARE.equal}</p>
              )}
            </section>
          )
        )
      })}
    </section>
  )
}

function Lines({
  pairs,
  titles,
}: {
  pairs: readonly LinePair[]
  titles: readonly [string, string]
}) {
  return (
    <div className="line-pairs mono">
      {pairs.map((pair, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity but their place
        <PairRow key={index} pair={pair} titles={titles} />
      ))}
    </div>
  )
}

function PairRow({ pair, titles }: { pair: LinePair; titles: readonly [string, string] }) {
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
        {left !== undefined && <Sign text="−" words={COMPARE.only(titles[0])} />}
        {left}
      </span>
      <span className={right === undefined ? 'none' : 'added'}>
        {right !== undefined && <Sign text="+" words={COMPARE.only(titles[1])} />}
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
