package dev.escapement.state.wire;

/**
 * Selects the bodies that one client needs, and ranks them by importance.
 *
 * <pre>{@code
 * InterestRegion near = new InterestRegion(60);
 * Set<Long> party = ConcurrentHashMap.newKeySet();
 * Interest interest = (body, kind, x, y, z) ->
 *         kind == FLAG || party.contains(body) ? 1 : near.importance(body, kind, x, y, z);
 * sender.interests(address -> interest, InterestSettings.DEFAULT);
 * ...
 * near.moveTo(player.x(), player.y(), player.z());   // any thread, at any time
 * party.add(friend);
 * }</pre>
 *
 * <p>A game can rank bodies by a function of its own:
 *
 * <pre>{@code
 * Interest byKind = (body, kind, x, y, z) -> kind == ROCKET ? 10 : kind == DEBRIS ? 0.1 : 1;
 * }</pre>
 *
 * <p>The sender's thread calls the function whenever it sends: for each body of the interest, and for a third of the others. So the
 * function must be fast. It must not throw, because an exception ends the sender. The data that it reads must be safe to read while the
 * game's threads change it.
 */
@FunctionalInterface
public interface Interest {

    /**
     * {@return how much a body matters now: higher is more important; 0, negative or NaN if the client does not need it} A body leaves
     * after half a second without importance, so that a body at an edge does not flicker.
     *
     * @param body     its id, see {@link dev.escapement.state.snapshot.BodyId}
     * @param userData the number that the application gave the body
     * @param x        its position in the world, in metres
     * @param y        likewise
     * @param z        likewise
     */
    double importance(long body, long userData, double x, double y, double z);
}
