package dev.escapement.physics.box2d;

import com.badlogic.gdx.physics.box2d.Contact;
import com.badlogic.gdx.physics.box2d.ContactImpulse;
import com.badlogic.gdx.physics.box2d.ContactListener;
import com.badlogic.gdx.physics.box2d.Fixture;
import com.badlogic.gdx.physics.box2d.Manifold;
import com.badlogic.gdx.physics.box2d.World;
import dev.escapement.physics.contact.ContactPairs;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the impulses of all contacts of a step in which a contact begins. Box2D passes impulses only to a listener, so during a step this
 * object is the world's listener, and passes all calls on to the game's listener.
 *
 * <p>Physics thread only. Allocates only when more contacts are solved in such a step than ever before.
 */
final class Impulses implements ContactListener {

    /** The binding's field for the world's listener, read here because the binding has a setter but no getter. */
    private static final VarHandle LISTENER =
            Box2dWorldSimulation.field(World.class, "contactListener", ContactListener.class);

    private final ToLongFunction<Object> sideOf;
    private final ToIntFunction<Fixture> indexOf;

    private @Nullable ContactListener next;
    private boolean begun;

    // For each contact that was solved, two fixtures; and in the same order its impulse.
    private final List<Fixture> solved = new ArrayList<>();
    private float[] newtonSeconds = new float[16];

    Impulses(ToLongFunction<Object> sideOf, ToIntFunction<Fixture> indexOf) {
        this.sideOf = sideOf;
        this.indexOf = indexOf;
    }

    /**
     * Begins to listen, in a step whose contacts are wanted.
     *
     * @param lasting whether impulses are wanted even if no contact begins
     */
    void begin(World world, boolean lasting) {
        begun = lasting;
        solved.clear();
        next = (ContactListener) LISTENER.get(world);
        world.setContactListener(this);
    }

    /** Restores the game's listener, unless the game has set another one in the step. */
    void end(World world) {
        if (LISTENER.get(world) == this) {
            world.setContactListener(next);
        }
        next = null;
    }

    void report(ContactPairs pairs) {
        for (int i = 0; i < solved.size(); i += 2) {
            Fixture fixture = solved.get(i);
            Fixture other = solved.get(i + 1);
            pairs.impulse(
                    sideOf.applyAsLong(fixture.getBody()),
                    indexOf.applyAsInt(fixture),
                    sideOf.applyAsLong(other.getBody()),
                    indexOf.applyAsInt(other),
                    newtonSeconds[i / 2]);
        }
        solved.clear();
    }

    @Override
    public void beginContact(Contact contact) {
        begun = true;
        if (next != null) {
            next.beginContact(contact);
        }
    }

    @Override
    public void endContact(Contact contact) {
        if (next != null) {
            next.endContact(contact);
        }
    }

    @Override
    public void preSolve(Contact contact, Manifold oldManifold) {
        if (next != null) {
            next.preSolve(contact, oldManifold);
        }
    }

    @Override
    public void postSolve(Contact contact, ContactImpulse impulse) {
        if (begun) {
            add(contact, impulse);
        }
        if (next != null) {
            next.postSolve(contact, impulse);
        }
    }

    private void add(Contact contact, ContactImpulse impulse) {
        int at = solved.size() / 2;
        if (at == newtonSeconds.length) {
            newtonSeconds = Arrays.copyOf(newtonSeconds, 2 * at);
        }
        float[] points = impulse.getNormalImpulses();
        newtonSeconds[at] = 0;
        for (int i = 0; i < impulse.getCount(); i++) {
            newtonSeconds[at] += points[i];
        }
        solved.add(contact.getFixtureA());
        solved.add(contact.getFixtureB());
    }
}
