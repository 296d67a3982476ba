package dev.escapement.bench.stress.world;

import com.sun.management.GarbageCollectionNotificationInfo;
import java.lang.management.GarbageCollectorMXBean;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import javax.management.ListenerNotFoundException;
import javax.management.Notification;
import javax.management.NotificationEmitter;
import javax.management.NotificationListener;
import javax.management.openmbean.CompositeData;

/** The longest pause of which the JVM tells until this is closed. */
final class CollectorPauses implements NotificationListener, AutoCloseable {

    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final List<GarbageCollectorMXBean> pausing;

    // The JVM's thread that tells writes the longest before it counts it, release; whoever has seen the count, acquire,
    // sees it.
    private final AtomicLong longestMillis = new AtomicLong();
    private final AtomicLong told = new AtomicLong();

    private CollectorPauses(List<GarbageCollectorMXBean> pausing) {
        this.pausing = pausing;
    }

    /** Listens to these beans, as far as they tell anything. */
    static CollectorPauses of(List<GarbageCollectorMXBean> pausing) {
        CollectorPauses pauses = new CollectorPauses(pausing);
        for (GarbageCollectorMXBean bean : pausing) {
            if (bean instanceof NotificationEmitter emitter) {
                emitter.addNotificationListener(pauses, null, null);
            }
        }
        return pauses;
    }

    @Override
    public void handleNotification(Notification notification, Object handback) {
        if (notification.getType().equals(GarbageCollectionNotificationInfo.GARBAGE_COLLECTION_NOTIFICATION)) {
            GarbageCollectionNotificationInfo info =
                    GarbageCollectionNotificationInfo.from((CompositeData) notification.getUserData());
            longestMillis.setPlain(
                    Math.max(longestMillis.getPlain(), info.getGcInfo().getDuration()));
            told.setRelease(told.getPlain() + 1);
        }
    }

    /**
     * How long the longest was, to the millisecond: the JVM tells no more.
     *
     * @param count how many there were; the JVM counts a pause before it tells of it, so they are waited for, a second at most
     */
    double longestMillis(long count) {
        Patience.await(PATIENCE_NANOS, () -> told.getAcquire() >= count);
        return (double) longestMillis.getPlain();
    }

    @Override
    public void close() {
        for (GarbageCollectorMXBean bean : pausing) {
            if (bean instanceof NotificationEmitter emitter) {
                try {
                    emitter.removeNotificationListener(this);
                } catch (ListenerNotFoundException e) {
                    throw new IllegalStateException("the bean " + bean.getName() + " does not know its listener", e);
                }
            }
        }
    }
}
