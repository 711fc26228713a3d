import { copyText } from '../../../components/copy'
import { Icon } from '../../../components/Icon'
import { Menu } from '../../../components/Menu'
import { LESSON_HERE, workspaceOfLesson } from '../../../state/lesson-workspace'
import { addressOf } from '../../../state/workspace'
import { SHARED } from '../texts'

/** For lessons of the catalog; others are shared by their author. */
export function ShareLesson({ title }: { title: string }) {
  if (LESSON_HERE === undefined) return null
  const id = LESSON_HERE
  const link = () => new URL(addressOf(workspaceOfLesson(id)), location.href).href
  return (
    <Menu
      label={SHARED.menu}
      className="button quiet icon-only"
      side="right"
      face={<Icon name="share" />}
      items={[
        {
          title: SHARED.link,
          icon: 'share',
          run: () => void copyText(link(), SHARED.linkName),
        },
        {
          title: SHARED.embed,
          icon: 'code',
          run: () => void copyText(embedCode(id, title), SHARED.embedName),
        },
      ]}
    />
  )
}

function embedCode(id: string, title: string): string {
  const address = new URL(addressOf(''), location.href)
  address.search = `?embed=1&panels=lesson,editor,console&lesson=${id}`
  const source = address.href.replaceAll('&', '&amp;')
  const name = title.replaceAll('&', '&amp;').replaceAll('"', '&quot;')
  return `<iframe title="${name}" src="${source}" width="100%" height="640" loading="lazy" allow="clipboard-write"></iframe>`
}
