/** What was offered and given, compared with what has arrived: input events, commands, and the threads that offer them. */
@NullMarked
package dev.escapement.bench.stress.ledger;

import org.jspecify.annotations.NullMarked;
