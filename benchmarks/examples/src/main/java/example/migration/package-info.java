/** Usual game loops, and their migration. The page is physics-thread/docs/settings.md. */
@NullMarked
package example.migration;

import org.jspecify.annotations.NullMarked;
