/** What each of several payers sees and pays (cluster/payer-prices.ts). A program that does not know of it leaves it empty: one price for all. */
export const PAYER_PRICES = `
  ALTER TABLE common_price ADD COLUMN payers jsonb NOT NULL DEFAULT '[]';
  ALTER TABLE price_report ADD COLUMN payers jsonb NOT NULL DEFAULT '[]';`
