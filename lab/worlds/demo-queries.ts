/** Query feeds of the demo: each shows one thing that the language can do. */
export const DEMO_QUERIES = `
-- A filter over a category with its subfolders.
CREATE FEED emergencies TITLE "Floods, fires and storms" LIMIT 50 AS
RETURN CATEGORY "News" WHERE TITLE CONTAINS "flood" OR "fire" OR "storm";

-- Each source with a filter of its own.
CREATE FEED harbour TITLE "Around the harbour" AS
RETURN CATEGORY "Services/Traffic" AS $traffic | CATEGORY "News" AS $news
WHERE $traffic[TITLE CONTAINS "ferry"] AND $news[TITLE CONTAINS "ferry" OR "harbour"];

-- A query feed that reads another.
CREATE FEED ferries TITLE "Ferries that do not come" AS
RETURN harbour WHERE TITLE CONTAINS "delayed" OR "cancelled" OR "diverted";

-- What is told by more than one.
CREATE FEED confirmed TITLE "Told twice within a day" AS
RETURN CATEGORY "News" AS $v
JOIN LAST 1 DAY ON CATEGORY "News" AS $w WITH $v[TITLE SIMILAR $w.TITLE > 0.6];

-- No headline twice.
CREATE FEED science-once TITLE "Science, each headline once" AS
RETURN CATEGORY "Science" DISTINCT BY TITLE LAST 7 DAYS;
`
