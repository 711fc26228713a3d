/** Ids of the page's views (`places.ts`), in the order of the rail. */
export const PLACE_IDS = [
  'workbench',
  'access',
  'cluster',
  'lessons',
  'policy',
  'handlers',
  'releases',
] as const

export type PlaceId = (typeof PLACE_IDS)[number]
