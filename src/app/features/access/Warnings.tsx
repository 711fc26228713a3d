import type { EscalationRisk, PolicyRule } from '../../../hosts/shared/access'
import { Icon } from '../../components/Icon'
import { Chain } from './Chain'
import { RuleText } from './RuleText'
import { RISKS, risksTitle } from './texts'

export function Warnings({ warnings }: { warnings: readonly EscalationRisk[] }) {
  return (
    <>
      <header className="detail-head">
        <p className="detail-title">
          <strong>{risksTitle(warnings.length)}</strong>
        </p>
        <p className="soft">{RISKS.about}</p>
      </header>
      <div className="scroll detail-body">
        <WarningList warnings={warnings} />
      </div>
    </>
  )
}

export function WarningList({ warnings }: { warnings: readonly EscalationRisk[] }) {
  return (
    <ul className="warnings" aria-label={RISKS.title}>
      {warnings.map(({ kind, right, text, rule, chain }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same right may come from several roles
        <li key={index} className="warning">
          <p className="warning-head">
            <Icon name="warning" size={14} />
            <strong>{kind}</strong>
            <span className="mono wrap">{right}</span>
          </p>
          <p>{text}</p>
          {chain ? <Chain chain={chain} /> : <RuleText rule={rule as PolicyRule} />}
        </li>
      ))}
    </ul>
  )
}
