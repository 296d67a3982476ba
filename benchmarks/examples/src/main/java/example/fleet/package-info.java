/** Many worlds, relays and viewers over Aeron. Start reading at {@link example.fleet.FleetExample}; the page is docs/fleet.md. */
@NullMarked
package example.fleet;

import org.jspecify.annotations.NullMarked;
