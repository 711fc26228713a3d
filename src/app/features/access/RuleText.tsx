import type { PolicyRule, Shortfall } from '../../../hosts/shared/access'
import { CHAIN, RULE_TITLES } from './texts'

const MEMBER_OF: Partial<Record<Shortfall, keyof PolicyRule>> = {
  verb: 'verbs',
  name: 'resourceNames',
  subresource: 'resources',
  group: 'apiGroups',
}

const MEMBERS = ['verbs', 'resources', 'apiGroups', 'resourceNames', 'nonResourceURLs'] as const

/** The core group has no name. */
const wordOf = (member: keyof PolicyRule, word: string): string =>
  member === 'apiGroups' && word === '' ? '""' : word

export function RuleText({ rule, lacks }: { rule: PolicyRule; lacks?: Shortfall | undefined }) {
  const short = lacks === undefined ? undefined : MEMBER_OF[lacks]
  return (
    <dl className="rule-text">
      {MEMBERS.map((member) => {
        const words = (rule[member] as readonly string[] | null | undefined) ?? []
        if (words.length === 0) return null
        return (
          <div key={member} className={member === short ? 'short' : ''}>
            <dt>
              {RULE_TITLES[member]}
              {member === short && <span className="visually-hidden"> {CHAIN.mismatch}</span>}
            </dt>
            <dd>{words.map((word) => wordOf(member, word)).join(', ')}</dd>
          </div>
        )
      })}
    </dl>
  )
}
