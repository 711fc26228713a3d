import { useMemo, useState } from 'react'
import { Icon } from '../../../components/Icon'
import { Segments } from '../../../components/Segments'
import { sendRequest } from '../../../state/client'
import { useCluster } from '../../../state/cluster'
import { pathOf, resourceOfKind, useDiscovery } from '../../../state/discovery'
import { useMoment } from '../../../state/moment'
import { notify, selectObject } from '../../../state/view'
import { failureOf } from '../../manifests/failure'
import { countFates, deletionOf, type Owned, type OwnedTree, type Propagation } from '../deletion'
import { SELECTION } from '../texts'
import type { Chosen } from './chosen'

const WAYS: { value: Propagation; title: string; about: string }[] = [
  {
    value: 'Background',
    title: SELECTION.background,
    about: SELECTION.backgroundAbout,
  },
  { value: 'Foreground', title: SELECTION.foreground, about: SELECTION.foregroundAbout },
  { value: 'Orphan', title: SELECTION.orphan, about: SELECTION.orphanAbout },
]

export function ChosenObject({ chosen, onClose }: { chosen: Chosen; onClose: () => void }) {
  const [way, setWay] = useState<Propagation>('Background')
  const owned = useOwned()
  const past = useMoment(({ revision }) => revision !== undefined)
  const resource = useDiscovery(({ resources }) =>
    resourceOfKind(resources, chosen.apiVersion, chosen.kind),
  )
  const object = owned.find(({ uid }) => uid === chosen.uid)
  const tree = useMemo(() => object && deletionOf(object, owned, way), [object, owned, way])
  const counts = tree && countFates(tree)
  const about = WAYS.find(({ value }) => value === way)?.about
  const remove = async () => {
    if (resource === undefined) return
    const path = pathOf(resource, chosen.namespace, chosen.name)
    const response = await sendRequest({
      method: 'DELETE',
      path,
      body: JSON.stringify({ propagationPolicy: way }),
    })
    if (response.ok) notify(SELECTION.deleting(`${chosen.kind} ${chosen.name}`))
    else notify(failureOf(response).message, 'bad')
  }
  return (
    <section className="chosen-object" aria-label={`${chosen.kind} ${chosen.name}`}>
      <header className="bar">
        <h2 className="cut">
          <span className="kind">{chosen.kind}</span> {chosen.name}
        </h2>
        <span className="grow" />
        {resource && (
          <button
            type="button"
            className="button small"
            onClick={() =>
              selectObject({ resource, namespace: chosen.namespace, name: chosen.name })
            }
          >
            {SELECTION.open}
          </button>
        )}
        <button
          type="button"
          className="button quiet icon-only small"
          aria-label={SELECTION.clear}
          onClick={onClose}
        >
          <Icon name="close" size={14} />
        </button>
      </header>
      {tree === undefined ? (
        <p className="soft small">{past ? SELECTION.notYet : SELECTION.noLonger}</p>
      ) : (
        <>
          <div className="delete-ways">
            <span className="small soft">{SELECTION.preview}</span>
            <Segments label={SELECTION.policy} value={way} choices={WAYS} onChoose={setWay} />
          </div>
          <p className="small soft">{about}</p>
          <ul className="owned-tree" aria-label={SELECTION.dependents}>
            <Branch tree={tree} />
          </ul>
          <div className="delete-act">
            <span className="small">{summary(counts)}</span>
            <button
              type="button"
              className="button small danger"
              disabled={past}
              onClick={() => void remove()}
            >
              <Icon name="trash" size={14} /> {SELECTION.delete}
            </button>
          </div>
        </>
      )}
    </section>
  )
}

function summary(counts: ReturnType<typeof countFates> | undefined): string {
  const { goes = 0, orphaned = 0, stays = 0 } = counts ?? {}
  const parts = [
    goes > 0 ? SELECTION.removed(goes) : '',
    orphaned > 0 ? SELECTION.orphaned(orphaned) : '',
    stays > 0 ? SELECTION.kept(stays) : '',
  ].filter(Boolean)
  return parts.length === 0 ? SELECTION.nothing : parts.join(', ')
}

function Branch({ tree: { object, fate, note, dependents } }: { tree: OwnedTree }) {
  return (
    <li>
      <span className={`owned is-${fate}`}>
        <Icon name={fate === 'goes' ? 'trash' : fate === 'orphaned' ? 'cut' : 'check'} size={13} />
        <span className="kind">{object.kind}</span>
        <span className="wrap">{object.name}</span>
        {note && <span className="soft small">{note}</span>}
      </span>
      {dependents.length > 0 && (
        <ul>
          {dependents.map((below) => (
            <Branch key={below.object.uid} tree={below} />
          ))}
        </ul>
      )}
    </li>
  )
}

function useOwned(): Owned[] {
  const kinds = useCluster((state) => state.kinds)
  return useMemo(
    () =>
      [...kinds.values()].flatMap(({ resource, objects }) =>
        [...objects.values()].map(({ uid, namespace, name, owners, finalizers }) => ({
          uid,
          kind: resource.kind,
          namespace,
          name,
          owners,
          finalizers,
        })),
      ),
    [kinds],
  )
}
