import type { KubeObject } from '../../../../engine/core/object'
import { shownNow } from '../../../state/clock'
import { Explain, ExplainField } from '../../explain/Explain'
import { pathsOf, pathText } from '../field-paths'
import type { OwnedLine } from '../lines'
import { type Owner, ownersOf } from '../owners'
import { actText, andMore, MAP, meaningOf, pathItself, sinceText } from '../texts'
import { OwnerBadge } from './Owner'

/** Further claims are counted. */
const CLAIMS = 50
const PATHS = 200

interface LineDetailProps {
  object: KubeObject
  line: OwnedLine
  initials: Map<string, string>
}

export function LineDetail({ object, line, initials }: LineDetailProps) {
  return (
    <>
      <p className="detail-path">
        <ExplainField
          apiVersion={object.apiVersion}
          kind={object.kind}
          path={line.place.map((step) => (typeof step === 'number' ? '[]' : step))}
        >
          {placeText(line.place)}
        </ExplainField>
      </p>
      {line.claims.slice(0, CLAIMS).map((claim) => (
        <div key={`${claim.owner.id} ${claim.path.join()}`} className="detail-owner">
          <OwnerBadge
            name={claim.owner.name}
            initials={initials.get(claim.owner.name) ?? ''}
            operation={claim.owner.operation}
          />
          <span>
            <strong>{claim.owner.name}</strong>{' '}
            <span className="soft">
              <Explain word="ownership" name={claim.owner.operation}>
                {actText(claim.owner)}
              </Explain>
            </span>
            <span className="soft small detail-since">{sinceText(claim.owner, shownNow())}</span>
            <code className="raw-path" title={MAP.rawPath}>
              {[...claim.path, ...(claim.itself ? ['.'] : [])].join(' ')}
            </code>
          </span>
        </div>
      ))}
      {line.claims.length > CLAIMS && (
        <p className="soft small">{andMore(line.claims.length - CLAIMS)}</p>
      )}
      <p className="soft small">{meaningOf(line)}</p>
    </>
  )
}

/** `spec.containers[0].image` */
function placeText(place: OwnedLine['place']): string {
  return place
    .map((step, index) =>
      typeof step === 'number' ? `[${step}]` : index === 0 ? step : `.${step}`,
    )
    .join('')
}

interface ManagerDetailProps {
  owner: Owner
  object: KubeObject
  initials: Map<string, string>
}

export function ManagerDetail({ owner, object, initials }: ManagerDetailProps) {
  const entry =
    object.metadata.managedFields?.[ownersOf(object).findIndex(({ id }) => id === owner.id)]
  const paths = pathsOf(entry?.fieldsV1)
  return (
    <>
      <div className="detail-owner">
        <OwnerBadge
          name={owner.name}
          initials={initials.get(owner.name) ?? ''}
          operation={owner.operation}
        />
        <span>
          <strong>{owner.name}</strong>{' '}
          <span className="soft">
            <Explain word="ownership" name={owner.operation}>
              {actText(owner)}
            </Explain>
          </span>
          <span className="soft small detail-since">{sinceText(owner, shownNow())}</span>
        </span>
      </div>
      <p className="soft small">
        {owner.operation === 'Apply' ? MAP.applyManager : MAP.updateManager}
      </p>
      <p className="owned-paths">
        {paths.slice(0, PATHS).map(({ path, itself }) => (
          <code key={path.join() + itself} className="raw-path">
            {itself ? pathItself(pathText(path)) : pathText(path)}
          </code>
        ))}
        {paths.length > PATHS && (
          <span className="soft small">{andMore(paths.length - PATHS)}</span>
        )}
      </p>
    </>
  )
}

export function UnownedDetail() {
  return (
    <>
      <p>
        <strong>
          <Explain word="ownership" name="unowned">
            {MAP.unownedTitle}
          </Explain>
        </strong>
      </p>
      <p className="soft small">{MAP.unowned}</p>
    </>
  )
}
