import { apiVersionOf } from '../../../../engine/core/object'
import { FieldName } from '../../../components/FieldName'
import { clusterNow } from '../../../state/clock'
import { ExplainField } from '../../explain/Explain'
import type { ObjectAddress } from '../../manifests/run'
import type { ConflictField } from '../effects'
import { initialsOf } from '../looks'
import { isApplier, type Owner } from '../owners'
import { andMore, CONFLICT_TABLE, MANAGERS, sinceText, through } from '../texts'
import { valueTexts } from '../value-text'
import { OwnerBadge } from './Owner'

interface ConflictsProps {
  conflicts: readonly ConflictField[]
  manager: string
  request: ObjectAddress
}

/** `.spec.containers[name="web"].image` -> its names, `[]` for an item */
const namesIn = (field: string): string[] =>
  field
    .replace(/\[[^\]]*(?:\]|$)/g, '.[]')
    .split('.')
    .filter((name) => name !== '')

/** Further owners are only counted. */
const OWNERS = 6

const howOf = ({ operation, subresource }: Owner): string =>
  [operation === 'Update' && MANAGERS.byUpdate, subresource && through(subresource)]
    .filter(Boolean)
    .join(' ')

export function Conflicts({ conflicts, manager, request: { resource } }: ConflictsProps) {
  const initials = initialsOf([
    manager,
    ...conflicts.flatMap(({ owners }) => owners.map(({ name }) => name)),
  ])
  return (
    <table className="conflicts">
      <thead>
        <tr>
          <th scope="col">{CONFLICT_TABLE.field}</th>
          <th scope="col">{CONFLICT_TABLE.yours}</th>
          <th scope="col">{CONFLICT_TABLE.live}</th>
          <th scope="col">{CONFLICT_TABLE.owner}</th>
        </tr>
      </thead>
      <tbody>
        {conflicts.map(({ field, owners, ...values }) => {
          const [yours, live] = valueTexts(values.yours, values.live)
          return (
            <tr key={field}>
              <th scope="row">
                <ExplainField
                  apiVersion={apiVersionOf(resource.group, resource.version)}
                  kind={resource.kind}
                  path={namesIn(field)}
                >
                  <FieldName path={field} />
                </ExplainField>
              </th>
              <td data-title={CONFLICT_TABLE.yours}>
                <code>{yours}</code>
              </td>
              <td data-title={CONFLICT_TABLE.live}>
                <code>{live}</code>
              </td>
              <td data-title={CONFLICT_TABLE.owner}>
                {owners.slice(0, OWNERS).map((owner) => (
                  <span key={owner.id} className="conflict-owner">
                    <OwnerBadge
                      name={owner.name}
                      initials={initials.get(owner.name) ?? ''}
                      operation={owner.operation}
                    />
                    <span>
                      {owner.name}
                      {isApplier(owner, manager) && ` ${MANAGERS.you}`}{' '}
                      <small className="soft">
                        {[howOf(owner), sinceText(owner, clusterNow())].filter(Boolean).join(', ')}
                      </small>
                    </span>
                  </span>
                ))}
                {owners.length > OWNERS && (
                  <span className="soft small">{andMore(owners.length - OWNERS)}</span>
                )}
              </td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}
