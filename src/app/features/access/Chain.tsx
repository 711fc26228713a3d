import type {
  Chain as ChainData,
  NearMiss,
  PolicyRule,
  QueryAttributes,
} from '../../../hosts/shared/access'
import { ObjectLink } from './ObjectLink'
import { RuleText } from './RuleText'
import { CHAIN, chainOf, nearMissOf, shortfallText, subjectKind } from './texts'

export function Chain({ chain }: { chain: ChainData }) {
  return (
    <ol className="chain" aria-label={chainOf(chain.binding.kind, chain.binding.name)}>
      <Links chain={chain} />
      {chain.rule !== undefined && (
        <li>
          <span className="chain-what">{CHAIN.rule}</span>
          <RuleText rule={chain.rule as PolicyRule} />
        </li>
      )}
    </ol>
  )
}

/** A chain with one mismatch. */
export function NearMissChain({
  miss,
  attributes,
}: {
  miss: NearMiss
  attributes: QueryAttributes
}) {
  return (
    <ol className="chain miss" aria-label={nearMissOf(miss.binding.kind, miss.binding.name)}>
      <li className="chain-verdict">
        {shortfallText(miss.lacks, miss.role, miss.binding.namespace, attributes)}
      </li>
      <Links chain={miss} />
      {miss.rule !== undefined && (
        <li>
          <span className="chain-what">{CHAIN.rule}</span>
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
        <span className="chain-what">{subjectKind(subject.kind)}</span>
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
              {CHAIN.aggregatedFrom}{' '}
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
