/** The chain of a permission: subject, binding, role, aggregated role and rule. */
import type {
  Chain as ChainData,
  NearMiss,
  PolicyRule,
  QueryAttributes,
} from '../../../hosts/shared/access'
import { ObjectLink } from './ObjectLink'
import { RuleText } from './RuleText'

export function Chain({ chain }: { chain: ChainData }) {
  return (
    <ol className="chain" aria-label={`By ${chain.binding.kind} ${chain.binding.name}`}>
      <Links chain={chain} />
      {chain.rule !== undefined && (
        <li>
          <span className="chain-what">Rule</span>
          <RuleText rule={chain.rule as PolicyRule} />
        </li>
      )}
    </ol>
  )
}

/** A near miss: a chain with one mismatch. */
export function NearMissChain({
  miss,
  attributes,
}: {
  miss: NearMiss
  attributes: QueryAttributes
}) {
  return (
    <ol className="chain miss" aria-label={`${miss.binding.kind} ${miss.binding.name} falls short`}>
      <li className="chain-verdict">{shortfallText(miss, attributes)}</li>
      <Links chain={miss} />
      {miss.rule !== undefined && (
        <li>
          <span className="chain-what">Rule</span>
          <RuleText rule={miss.rule as PolicyRule} lacks={miss.lacks} />
        </li>
      )}
    </ol>
  )
}

function Links({ chain }: { chain: ChainData }) {
  const { subject, binding, role, aggregatedFrom = [] } = chain
  return (
    <>
      <li>
        <span className="chain-what">
          {subject.kind === 'ServiceAccount' ? 'Service account' : subject.kind}
        </span>
        {subject.kind === 'ServiceAccount' ? (
          <ObjectLink
            group=""
            kind="ServiceAccount"
            namespace={subject.namespace ?? ''}
            name={subject.name}
          />
        ) : (
          <strong className="wrap">{subject.name}</strong>
        )}
      </li>
      <li>
        <span className="chain-what">{binding.kind}</span>
        <ObjectLink {...binding} />
      </li>
      <li>
        <span className="chain-what">{role.kind}</span>
        <span>
          <ObjectLink {...role} />
          {aggregatedFrom.length > 0 && (
            <span className="chain-sources">
              aggregated from{' '}
              {aggregatedFrom.map((name) => (
                <ObjectLink key={name} kind="ClusterRole" namespace="" name={name} />
              ))}
            </span>
          )}
        </span>
      </li>
    </>
  )
}

function shortfallText({ lacks, role, binding }: NearMiss, attributes: QueryAttributes): string {
  const what =
    attributes.subresource === ''
      ? attributes.resource
      : `${attributes.resource}/${attributes.subresource}`
  switch (lacks) {
    case 'role':
      return `The ${role.kind} “${role.name}” does not exist`
    case 'verb':
      return `Rule doesn't include verb “${attributes.verb}”`
    case 'name':
      return attributes.name === ''
        ? 'The rule is for objects of certain names only'
        : `The rule does not name the object “${attributes.name}”`
    case 'subresource':
      return `The rule does not name “${what}”`
    case 'namespace':
      return `Held in the namespace “${binding.namespace}”, not ${attributes.namespace === '' ? 'in all of them' : `in “${attributes.namespace}”`}`
    case 'group':
      return `The rule names another API group than “${attributes.group}”`
  }
}
