/** Shows truncated text (class `cut`) in full on hover. Screen readers read all of it anyway. */

/** Titles given here, not by the component itself: they go when there is room again, and follow the text. */
const GIVEN = 'fullText'

/** Listens from now on, for everything that is or will be in the document. */
export function showTruncatedTitles(): void {
  document.addEventListener('pointerover', ({ target }) => {
    const element = target instanceof Element ? target.closest<HTMLElement>('.cut') : null
    if (element === null || (element.title !== '' && element.dataset[GIVEN] === undefined)) return
    if (element.scrollWidth > element.clientWidth) {
      element.title = element.textContent
      element.dataset[GIVEN] = ''
    } else if (element.dataset[GIVEN] !== undefined) {
      element.removeAttribute('title')
      delete element.dataset[GIVEN]
    }
  })
}
