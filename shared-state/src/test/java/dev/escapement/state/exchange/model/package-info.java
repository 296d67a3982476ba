/** Runs the check of the exchange's model in {@code src/model}, and holds the model to the names of the production code. */
@NullMarked
package dev.escapement.state.exchange.model;

import org.jspecify.annotations.NullMarked;
