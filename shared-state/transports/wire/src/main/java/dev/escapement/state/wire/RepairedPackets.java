package dev.escapement.state.wire;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the latest packets of a sequence, and computes lost ones from the {@linkplain RepairCode sums} that come with them.
 *
 * <p>Accepts or refuses any bytes; memory and work are bounded. One thread. Allocates nothing once it has seen as many packets as it keeps.
 */
final class RepairedPackets {

    /** This many packets are kept. */
    static final int KEPT = 4096;

    /** At most this many sums wait for more packets. */
    private static final int MAX_SUMS = RepairCode.SPAN;

    /** A sum that is this many packets older than the newest is dropped. */
    private static final int MAX_AGE = 2 * RepairCode.SPAN;

    /** At most this many packets are in the sums that wait. */
    private static final int MAX_UNKNOWNS = MAX_AGE + RepairCode.SPAN;

    private static final int NONE = -1;
    private static final int U8 = 0xFF;
    private static final int U16 = 0xFFFF;

    private final int[] numbers = new int[KEPT];
    private final @Nullable ByteBuffer[] packets = new ByteBuffer[KEPT];
    private final boolean[] isRead = new boolean[KEPT];
    private int newest = NONE;

    /** A sum that was received. */
    private static final class Sum {
        private int newest;
        private int count;
        private int name;
        private int length;
        private final byte[] bytes = new byte[PacketHeader.MAX_BYTES];

        // While equations are solved: what remains of it.
        private final int[] factors = new int[MAX_UNKNOWNS];
        private final byte[] rest = new byte[PacketHeader.MAX_BYTES];
    }

    private final List<Sum> sums = new ArrayList<>();
    private final List<Sum> free = new ArrayList<>();
    private final int[] unknowns = new int[MAX_UNKNOWNS];
    private int unknownCount;
    private final byte[] solved = new byte[PacketHeader.MAX_BYTES];

    RepairedPackets() {
        forget();
    }

    void forget() {
        Arrays.fill(numbers, NONE);
        newest = NONE;
        free.addAll(sums);
        sums.clear();
    }

    /** The number of the newest packet; -1 if there is none. */
    int newest() {
        return newest;
    }

    boolean has(int number) {
        return numbers[number & (KEPT - 1)] == (number & U16);
    }

    /** Whether a packet that is there was read. */
    boolean isRead(int number) {
        return isRead[number & (KEPT - 1)];
    }

    /** Marks a packet that is there as read. */
    void read(int number) {
        isRead[number & (KEPT - 1)] = true;
    }

    /** A packet that is there. */
    ByteBuffer packet(int number) {
        ByteBuffer packet = buffer(number);
        return packet.limit(RepairCode.LENGTH_BYTES + packet.getShort(0)).position(RepairCode.LENGTH_BYTES);
    }

    private ByteBuffer buffer(int number) {
        return Objects.requireNonNull(packets[number & (KEPT - 1)]).clear();
    }

    /** Takes a packet. False if it is there already, or too long, or too old. */
    boolean add(int number, ByteBuffer packet) {
        if (packet.remaining() > RepairCode.MAX_BYTES || has(number)) {
            return false;
        }
        if (newest != NONE && Math.abs((short) (number - newest)) >= KEPT) {
            forget(); // numbers begin again, or may have wrapped since
        }
        RepairCode.copy(packet, packet.position(), packet.limit(), keep(number));
        if (!sums.isEmpty()) {
            solve();
        }
        return true;
    }

    private byte[] keep(int number) {
        int at = number & (KEPT - 1);
        ByteBuffer packet = packets[at];
        if (packet == null) {
            packet = ByteBuffer.allocate(RepairCode.LENGTH_BYTES + RepairCode.MAX_BYTES);
            packets[at] = packet;
        }
        numbers[at] = number & U16;
        isRead[at] = false;
        if (newest == NONE || (short) (number - newest) > 0) {
            newest = number & U16;
        }
        return packet.array();
    }

    /** Takes a repair packet. False if it is malformed. */
    boolean addSum(ByteBuffer packet) {
        int length = packet.remaining() - RepairCode.HEADER_BYTES;
        if (length < RepairCode.LENGTH_BYTES || length > RepairCode.LENGTH_BYTES + RepairCode.MAX_BYTES) {
            return false;
        }
        packet.position(packet.position() + RepairCode.HEADER_BYTES - 4);
        int last = packet.getShort() & U16;
        int count = packet.get() & U8;
        int name = packet.get() & U8;
        if (count == 0 || count > RepairCode.SPAN) {
            return false;
        }
        if (isFar(last) || isComplete(last, count)) {
            return true; // it is not needed
        }
        if (sums.size() == MAX_SUMS) {
            free.add(sums.remove(0));
        }
        Sum sum = free.isEmpty() ? new Sum() : free.remove(free.size() - 1);
        sum.newest = last;
        sum.count = count;
        sum.name = name;
        sum.length = length;
        packet.get(sum.bytes, 0, length);
        sums.add(sum);
        solve();
        return true;
    }

    /** A sum that is far from all packets is useless. */
    private boolean isFar(int last) {
        return newest == NONE || Math.abs((short) (last - newest)) > KEPT / 2;
    }

    private boolean isComplete(int last, int count) {
        int age = 0;
        while (age < count && has(last - age)) {
            age++;
        }
        return age == count;
    }

    /** Solves for what is missing, as far as the sums that wait allow. */
    private void solve() {
        discardUseless();
        findUnknowns();
        for (int i = 0; i < sums.size(); i++) {
            subtractKnown(sums.get(i));
        }
        // Gauss and Jordan: an equation with one unknown left gives a packet.
        int solved = 0;
        for (int unknown = 0; unknown < unknownCount && solved < sums.size(); unknown++) {
            int pivot = solved;
            while (pivot < sums.size() && sums.get(pivot).factors[unknown] == 0) {
                pivot++;
            }
            if (pivot < sums.size()) {
                Sum of = sums.set(pivot, sums.get(solved));
                sums.set(solved, of);
                eliminate(of, unknown);
                solved++;
            }
        }
        for (int i = 0; i < solved; i++) {
            giveIfOnlyOne(sums.get(i));
        }
        discardUseless();
    }

    private void discardUseless() {
        int latest = latest();
        for (int i = sums.size() - 1; i >= 0; i--) {
            Sum sum = sums.get(i);
            boolean isOld = (short) (latest - sum.newest) > MAX_AGE;
            if (isOld || isComplete(sum.newest, sum.count)) {
                free.add(sums.remove(i));
            }
        }
    }

    /** The newest packet of which anything is known. */
    private int latest() {
        int latest = newest;
        for (int i = 0; i < sums.size(); i++) {
            int last = sums.get(i).newest;
            latest = (short) (last - latest) > 0 ? last : latest;
        }
        return latest;
    }

    private void findUnknowns() {
        unknownCount = 0;
        int latest = latest();
        for (int age = 0; age < MAX_UNKNOWNS; age++) {
            if (!has(latest - age) && isSummed(latest - age)) {
                unknowns[unknownCount++] = latest - age & U16;
            }
        }
    }

    private boolean isSummed(int number) {
        for (int i = 0; i < sums.size(); i++) {
            if (covers(sums.get(i), number)) {
                return true;
            }
        }
        return false;
    }

    private static boolean covers(Sum sum, int number) {
        int age = (short) (sum.newest - number);
        return age >= 0 && age < sum.count;
    }

    @SuppressWarnings("ByteBufferBackingArray") // allocated here
    private void subtractKnown(Sum sum) {
        System.arraycopy(sum.bytes, 0, sum.rest, 0, sum.length);
        Arrays.fill(sum.rest, sum.length, sum.rest.length, (byte) 0);
        for (int i = 0; i < unknownCount; i++) {
            sum.factors[i] = covers(sum, unknowns[i]) ? RepairCode.factor(sum.name, unknowns[i]) : 0;
        }
        for (int age = 0; age < sum.count; age++) {
            int number = sum.newest - age;
            if (has(number)) {
                ByteBuffer packet = buffer(number);
                int length = RepairCode.LENGTH_BYTES + packet.getShort(0);
                RepairCode.add(sum.rest, packet.array(), length, RepairCode.factor(sum.name, number));
            }
        }
    }

    private void eliminate(Sum pivot, int unknown) {
        for (int i = 0; i < sums.size(); i++) {
            Sum other = sums.get(i);
            if (other != pivot && other.factors[unknown] != 0) {
                int factor = RepairCode.quotient(other.factors[unknown], pivot.factors[unknown]);
                for (int k = 0; k < unknownCount; k++) {
                    other.factors[k] ^= RepairCode.product(factor, pivot.factors[k]);
                }
                RepairCode.add(other.rest, pivot.rest, pivot.rest.length, factor);
            }
        }
    }

    private void giveIfOnlyOne(Sum sum) {
        int found = NONE;
        for (int i = 0; i < unknownCount; i++) {
            if (sum.factors[i] != 0) {
                if (found != NONE) {
                    return;
                }
                found = i;
            }
        }
        if (found == NONE) {
            return;
        }
        Arrays.fill(solved, (byte) 0);
        RepairCode.add(solved, sum.rest, solved.length, RepairCode.quotient(1, sum.factors[found]));
        int length = (solved[0] & U8) << Byte.SIZE | (solved[1] & U8);
        if (length <= RepairCode.MAX_BYTES) {
            System.arraycopy(solved, 0, keep(unknowns[found]), 0, RepairCode.LENGTH_BYTES + length);
        }
    }
}
