/** Runs Spin on the exchange's model in {@code src/model}, and checks its names against the production code. */
@NullMarked
package dev.escapement.state.exchange.model;

import org.jspecify.annotations.NullMarked;
