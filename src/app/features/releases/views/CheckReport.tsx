import { useState } from 'react'
import { CopyButton } from '../../../components/CopyButton'
import { Icon } from '../../../components/Icon'
import { BROKEN, type CheckedManifest, type Finding, type Report } from '../findings'
import { jsonReport, markdownReport, nameOf, OUTCOME_WORDS, placeOf, summaryOf } from '../report'
import { CHECK } from '../texts'
import { CheckedManifestDetail } from './CheckedManifestDetail'
import { MARKS, shownOutcomes } from './outcome-marks'

export function CheckReport({ report }: { report: Report }) {
  const firstBroken = report.manifests.findIndex(({ findings }) =>
    BROKEN.includes((findings.at(-1) as Finding).outcome),
  )
  const [chosen, setChosen] = useState<number>()
  const at =
    chosen !== undefined && chosen < report.manifests.length ? chosen : Math.max(0, firstBroken)
  const one = report.manifests[at]
  return (
    <>
      <div className="found-summary">
        <p>{summaryOf(report)}</p>
        <CopyButton
          text={() => markdownReport(report)}
          what={CHECK.markdownCopied}
          label={CHECK.markdown}
        />
        <CopyButton text={() => jsonReport(report)} what={CHECK.jsonCopied} label={CHECK.json} />
      </div>
      <div className="found-table">
        <table>
          <thead>
            <tr>
              <th scope="col">{CHECK.manifest}</th>
              {report.releases.map((release) => (
                <th key={release} scope="col">
                  {release}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {report.manifests.map((entry, index) => (
              <ManifestRow
                // biome-ignore lint/suspicious/noArrayIndexKey: the report is a whole and its order is its identity
                key={index}
                entry={entry}
                chosen={index === at}
                onChoose={() => setChosen(index)}
              />
            ))}
          </tbody>
        </table>
      </div>
      <p className="found-legend soft small">
        {shownOutcomes(report).map((outcome) => (
          <span key={outcome} className={MARKS[outcome].tone}>
            <Icon name={MARKS[outcome].icon} size={12} /> {OUTCOME_WORDS[outcome]}
          </span>
        ))}
      </p>
      {report.unreadable.map((problem) => (
        <p key={placeOf(problem)} className="note warn">
          {CHECK.unreadable(problem.line, problem.message)}
        </p>
      ))}
      {one && <CheckedManifestDetail key={at} one={one} />}
    </>
  )
}

function ManifestRow({
  entry,
  chosen,
  onChoose,
}: {
  entry: CheckedManifest
  chosen: boolean
  onChoose(): void
}) {
  return (
    <tr className={chosen ? 'chosen' : undefined}>
      <th scope="row">
        <button type="button" className="link" aria-pressed={chosen} onClick={onChoose}>
          {nameOf(entry.manifest)}
        </button>
        <span className="soft small mono">{entry.manifest.object.apiVersion}</span>
      </th>
      {entry.findings.map(({ release, outcome }) => (
        <td
          key={release}
          className={MARKS[outcome].tone}
          title={`${release}: ${OUTCOME_WORDS[outcome]}`}
        >
          <Icon name={MARKS[outcome].icon} size={14} />
          <span className="visually-hidden">{OUTCOME_WORDS[outcome]}</span>
        </td>
      ))}
    </tr>
  )
}
