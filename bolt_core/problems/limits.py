"""The limits of problems on a server. The operator may exceed those that are so marked."""

MAX_PROBLEMS_PER_VISITOR = 20  # the operator may exceed it
MAX_PROBLEMS = 500  # in all; the operator may exceed it
MAX_MEASUREMENTS = 20_000  # of a problem; the operator may exceed it
MAX_FILE_BYTES = 50 * 2**20  # of a file to create a problem from
MAX_NEW_PER_MINUTE = 10  # problems that a visitor creates; the operator may exceed it
MAX_THINK_SECONDS = 5.0  # of a tell and the next ask together
MAX_COMPUTING = 2  # calls that compute at a time, in all
MAX_WAITING_CALLS = 16  # of one problem
MAX_WAIT_SECONDS = 30.0  # for the calls before it
MAX_OPEN_PROBLEMS = 50  # in memory; beyond, the one that was used longest ago is closed
IDLE_SECONDS = 900.0  # after which a problem is closed
MAX_PLANTS = 4  # simulated plants that run at a time
PLANT_MEASUREMENTS = 40  # of a simulated plant
PLANT_SECONDS = 90.0  # after which a simulated plant stops in any case
