import type { WishService } from '../../api/services.ts'
import type { Store } from '../../store/store.ts'
import { wishStandings } from '../crawling/wish-shares.ts'
import { feedPayer } from '../crawling/wishers.ts'

export function createWishService(store: Pick<Store, 'state'>): WishService {
  const of = async (payer: number) => (await wishStandings(store)).get(payer) ?? null
  return { ofUser: of, ofFeed: (id) => of(feedPayer(id)) }
}
